# iwcm in a container, built from this checkout:
#
#   docker build -t iwcm .
#   docker run --rm -p 127.0.0.1:8080:8080 -v ./my.conf:/etc/iwcm/iwcm.conf:ro iwcm
#
# NOT BUILT where iwcm is developed: no base image could be had there, so this file is unproven. What it copies and how it
# starts it is what the build tests with iwcm-VERSION.tar.gz.
#
# In my.conf iwcm.http.address must be one that the outside reaches, and then a token is asked for. The link: memory and
# QEMU sockets need nothing more; packet needs --cap-add NET_RAW, tap --cap-add NET_ADMIN --device /dev/net/tun, and both
# --user 0, as Docker gives capabilities to root only.

FROM docker.io/library/eclipse-temurin:25-jdk AS build
RUN apt-get update && apt-get install -y --no-install-recommends maven && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN mvn -B -q -DskipTests verify && mkdir /opt/iwcm && \
    tar -xzf target/iwcm-*.tar.gz -C /opt/iwcm --strip-components=1 && \
    /opt/iwcm/bin/iwcm warm-up

# The archive of classes fits the very same Java only, hence the same image again.
FROM docker.io/library/eclipse-temurin:25-jdk
COPY --from=build --chown=0:0 /opt/iwcm /opt/iwcm
RUN useradd --system --no-create-home --shell /usr/sbin/nologin iwcm && mkdir -p /etc/iwcm && \
    cp /opt/iwcm/config/single.conf /etc/iwcm/iwcm.conf && /opt/iwcm/bin/iwcm warm-up
USER iwcm
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/iwcm/bin/iwcm"]
CMD ["serve", "--config", "/etc/iwcm/iwcm.conf"]
