/*
 * A librdmacm application for the guest that iwcm is tested with: shows every event, with its numbers and private data.
 *
 *   peer listen ADDRESS PORT IRD ORD HEX      answers every request with these: accepts, or rejects when the
 *                                             request's private data begins with an octet of 0xff
 *   peer connect ADDRESS PORT IRD ORD HEX MS  asks once with these; after MS ms it disconnects, unless the other side did
 *
 * One line per event: NAME STATUS ird=N ord=N data=HEX. Ends with 0 when nothing unexpected failed.
 */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA_MAX = 512 };

struct answer {
    struct rdma_conn_param param;
    unsigned char data[DATA_MAX];
};

static void must(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s: %s\n", what, strerror(errno));
        exit(1);
    }
}

static void read_answer(struct answer *answer, char **words)
{
    size_t length = strlen(words[2]) / 2;
    must(length <= DATA_MAX, "private data too long");
    memset(answer, 0, sizeof *answer);
    for (size_t i = 0; i < length; i++)
        sscanf(words[2] + 2 * i, "%2hhx", &answer->data[i]);
    answer->param.responder_resources = atoi(words[0]);
    answer->param.initiator_depth = atoi(words[1]);
    answer->param.private_data = answer->data;
    answer->param.private_data_len = length > 255 ? 255 : length; /* librdmacm's own limit */
}

static struct rdma_cm_event *next_event(struct rdma_event_channel *channel)
{
    struct rdma_cm_event *event;
    must(!rdma_get_cm_event(channel, &event), "event");
    printf("%s %d", rdma_event_str(event->event) + strlen("RDMA_CM_EVENT_"), event->status);
    switch (event->event) {
    case RDMA_CM_EVENT_CONNECT_REQUEST:
    case RDMA_CM_EVENT_ESTABLISHED:
    case RDMA_CM_EVENT_REJECTED: {
        const struct rdma_conn_param *p = &event->param.conn;
        printf(" ird=%d ord=%d data=", p->responder_resources, p->initiator_depth);
        for (int i = 0; i < p->private_data_len; i++)
            printf("%02x", ((const unsigned char *)p->private_data)[i]);
        break;
    }
    default:
        break;
    }
    printf("\n");
    return event;
}

static void make_queue_pair(struct rdma_cm_id *id)
{
    struct ibv_qp_init_attr wanted = {
        .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 },
    };
    must(!rdma_create_qp(id, NULL, &wanted), "queue pair");
}

static void forget(struct rdma_cm_id *id)
{
    if (id->qp)
        rdma_destroy_qp(id);
    rdma_destroy_id(id);
}

static _Noreturn void run_listen(struct rdma_event_channel *channel, struct rdma_cm_id *id, const struct addrinfo *at,
                                 struct answer *answer)
{
    must(!rdma_bind_addr(id, at->ai_addr), "bind");
    must(!rdma_listen(id, 64), "listen");
    printf("LISTENING\n");
    for (;;) {
        struct rdma_cm_event *event = next_event(channel);
        struct rdma_cm_id *child = event->id;
        enum rdma_cm_event_type type = event->event;
        int reject = event->param.conn.private_data_len > 0 && type == RDMA_CM_EVENT_CONNECT_REQUEST &&
                     *(const unsigned char *)event->param.conn.private_data == 0xff;
        rdma_ack_cm_event(event);
        switch (type) {
        case RDMA_CM_EVENT_CONNECT_REQUEST:
            if (reject) {
                if (rdma_reject(child, answer->data, answer->param.private_data_len))
                    perror("reject");
                rdma_destroy_id(child);
                break;
            }
            make_queue_pair(child);
            if (rdma_accept(child, &answer->param)) {
                perror("accept");
                forget(child);
            }
            break;
        case RDMA_CM_EVENT_ESTABLISHED:
            break;
        default:
            rdma_disconnect(child);
            forget(child);
        }
    }
}

static int step(struct rdma_event_channel *channel, enum rdma_cm_event_type wanted)
{
    struct rdma_cm_event *event = next_event(channel);
    int right = event->event == wanted;
    rdma_ack_cm_event(event);
    return right;
}

static int run_connect(struct rdma_event_channel *channel, struct rdma_cm_id *id, const struct addrinfo *to,
                       struct answer *answer, int stay_ms)
{
    struct pollfd readable = { .fd = channel->fd, .events = POLLIN };
    must(!rdma_resolve_addr(id, NULL, to->ai_addr, 5000), "resolve");
    if (!step(channel, RDMA_CM_EVENT_ADDR_RESOLVED))
        return 1;
    must(!rdma_resolve_route(id, 5000), "route");
    if (!step(channel, RDMA_CM_EVENT_ROUTE_RESOLVED))
        return 1;
    make_queue_pair(id);
    must(!rdma_connect(id, &answer->param), "connect");
    if (step(channel, RDMA_CM_EVENT_ESTABLISHED)) {
        if (poll(&readable, 1, stay_ms) == 0)
            rdma_disconnect(id);
        step(channel, RDMA_CM_EVENT_DISCONNECTED);
    }
    forget(id);
    return 0;
}

int main(int count, char **words)
{
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct rdma_cm_id *id;
    struct addrinfo *address;
    struct answer answer;

    setvbuf(stdout, NULL, _IOLBF, 0);
    int listens = count == 7 && !strcmp(words[1], "listen");
    if (!listens && !(count == 8 && !strcmp(words[1], "connect"))) {
        fprintf(stderr, "peer listen ADDRESS PORT IRD ORD HEX | peer connect ADDRESS PORT IRD ORD HEX MS\n");
        return 2;
    }
    read_answer(&answer, words + 4);
    must(channel && !rdma_create_id(channel, &id, NULL, RDMA_PS_TCP), "rdma_cm");
    must(!getaddrinfo(words[2], words[3], NULL, &address), "address");
    if (listens)
        run_listen(channel, id, address, &answer);
    return run_connect(channel, id, address, &answer, atoi(words[7]));
}
