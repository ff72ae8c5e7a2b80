package io.iwcm.cm.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.iwcm.cm.analyze.CaptureSummary;
import io.iwcm.cm.analyze.ConnectionReport;
import io.iwcm.cm.analyze.ConnectionReport.Agreed;
import io.iwcm.cm.analyze.ConnectionReport.Fpdus;
import io.iwcm.cm.analyze.ConnectionReport.Frame;
import io.iwcm.cm.analyze.ConnectionReport.Party;
import io.iwcm.cm.analyze.Finding;
import io.iwcm.cm.analyze.Moment;
import io.iwcm.cm.analyze.Stamp;
import io.iwcm.cm.analyze.Verdict;
import io.iwcm.cm.mpa.MpaFrame;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What an analysis found, as one JSON document, written connection by connection. Its form is in {@code docs/analyze.md}:
 * names are only added within a schema number.
 */
final class AnalysisJson {

    static final int SCHEMA = 1;

    private final JsonGenerator json;

    AnalysisJson(PrintWriter out, String source) {
        try {
            json = JsonFactory.builder()
                    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .build()
                    .createGenerator(out);
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeNumberField("schema", SCHEMA);
            json.writeStringField("file", source);
            json.writeArrayFieldStart("connections");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void connection(ConnectionReport report) {
        try {
            json.writeStartObject();
            json.writeStringField("verdict", report.verdict().label());
            json.writeStringField("vlan", report.span().vlan());
            stamp("first", report.span().first());
            stamp("last", report.span().last());
            party("initiator", report.initiator());
            party("responder", report.responder());
            if (report.agreed().isPresent()) {
                agreed(report.agreed().get());
            }
            json.writeArrayFieldStart("timeline");
            for (Moment moment : report.moments()) {
                moment(moment);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("findings");
            for (Finding finding : report.findings()) {
                finding(finding);
            }
            json.writeEndArray();
            json.writeObjectFieldStart("ending");
            json.writeStringField("kind", report.ending().kind().label());
            json.writeStringField("by", report.ending().byInitiator() ? "initiator" : "responder");
            json.writeStringField("text", report.ending().words());
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void finish(CaptureSummary summary, Optional<String> error) {
        try {
            json.writeEndArray();
            json.writeObjectFieldStart("summary");
            json.writeNumberField("frames", summary.frames());
            json.writeNumberField("tcpSegments", summary.segments());
            json.writeNumberField("cutFrames", summary.cutFrames());
            json.writeNumberField("connections", summary.connections());
            for (Verdict verdict : Verdict.values()) {
                json.writeNumberField(verdict.label(), summary.verdicts().getOrDefault(verdict, 0L));
            }
            json.writeNumberField("otherTcpConnections", summary.otherConnections());
            json.writeObjectFieldStart("skipped");
            for (var entry : summary.skipped().entrySet()) {
                json.writeNumberField(entry.getKey().label(), entry.getValue());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("linkTypes");
            for (Map.Entry<Integer, Long> entry : summary.linkTypes().entrySet()) {
                json.writeNumberField(entry.getKey().toString(), entry.getValue());
            }
            json.writeEndObject();
            json.writeBooleanField("allHealthy", summary.allHealthy() && error.isEmpty());
            json.writeEndObject();
            if (error.isPresent()) {
                json.writeStringField("error", error.get());
            }
            json.writeEndObject();
            json.writeRaw(System.lineSeparator());
            json.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stamp(String name, Stamp stamp) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("frame", stamp.frame());
        json.writeNumberField("epochNs", stamp.epochNs());
        json.writeEndObject();
    }

    private void party(String name, Party party) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField("address", party.endpoint().address().toString());
        json.writeNumberField("port", party.endpoint().port());
        json.writeObjectFieldStart("tcp");
        json.writeNumberField("segments", party.tcp().segments());
        json.writeNumberField("repeats", party.tcp().repeats());
        present("mss", party.tcp().mss());
        present("windowScale", party.tcp().windowScale());
        json.writeNumberField("octets", party.tcp().octets());
        json.writeNumberField("missingOctets", party.tcp().missingOctets());
        json.writeEndObject();
        if (party.frame().isPresent()) {
            frame(party.frame().get());
        }
        fpdus(party.fpdus());
        json.writeEndObject();
    }

    /** Leaves out what was not there. */
    private void present(String name, int value) throws IOException {
        if (value >= 0) {
            json.writeNumberField(name, value);
        }
    }

    private void frame(Frame frame) throws IOException {
        json.writeObjectFieldStart("mpa");
        if (frame.fault().isPresent()) {
            json.writeStringField("fault", frame.fault().get());
        }
        if (frame.mpa().isPresent()) {
            MpaFrame mpa = frame.mpa().get();
            json.writeStringField("kind", mpa.kind().name().toLowerCase(Locale.ROOT));
            json.writeNumberField("revision", mpa.revision());
            json.writeBooleanField("markers", mpa.flags().markers());
            json.writeBooleanField("crc", mpa.flags().crc());
            json.writeBooleanField("rejected", mpa.flags().rejected());
            json.writeBooleanField("enhanced", mpa.enhanced().isPresent());
            if (mpa.enhanced().isPresent()) {
                enhanced(mpa.enhanced().get());
            }
            json.writeStringField("privateData", mpa.privateData().toHex());
        }
        json.writeStringField("octets", frame.octets().toHex());
        json.writeNumberField("notCaptured", frame.notCaptured());
        json.writeNumberField("segments", frame.segments());
        json.writeEndObject();
    }

    private void enhanced(MpaFrame.Enhanced enhanced) throws IOException {
        json.writeNumberField("ird", enhanced.ird());
        json.writeNumberField("ord", enhanced.ord());
        json.writeBooleanField("peerToPeer", enhanced.peerToPeer());
        json.writeArrayFieldStart("rtr");
        if (enhanced.rtr().send()) {
            json.writeString("send");
        }
        if (enhanced.rtr().write()) {
            json.writeString("write");
        }
        if (enhanced.rtr().read()) {
            json.writeString("read");
        }
        json.writeEndArray();
    }

    private void fpdus(Fpdus fpdus) throws IOException {
        json.writeObjectFieldStart("fpdus");
        json.writeNumberField("count", fpdus.count());
        json.writeNumberField("crcRight", fpdus.crcRight());
        json.writeNumberField("crcWrong", fpdus.crcWrong());
        json.writeNumberField("markersWrong", fpdus.markersWrong());
        json.writeObjectFieldStart("byOpcode");
        for (ConnectionReport.Kind kind : fpdus.byOpcode()) {
            json.writeNumberField(kind.name(), kind.count());
        }
        json.writeEndObject();
        json.writeArrayFieldStart("first");
        for (String first : fpdus.first()) {
            json.writeString(first);
        }
        json.writeEndArray();
        if (fpdus.terminate().isPresent()) {
            json.writeStringField("terminate", fpdus.terminate().get());
        }
        json.writeEndObject();
    }

    private void agreed(Agreed agreed) throws IOException {
        json.writeObjectFieldStart("agreed");
        json.writeNumberField("revision", agreed.revision());
        json.writeBooleanField("peerToPeer", agreed.peerToPeer());
        if (agreed.rtr().isPresent()) {
            json.writeStringField("rtr", agreed.rtr().get().name().toLowerCase(Locale.ROOT));
        }
        json.writeBooleanField("crc", agreed.crc());
        json.writeBooleanField("markersToInitiator", agreed.markersToInitiator());
        json.writeBooleanField("markersToResponder", agreed.markersToResponder());
        present("initiatorReads", agreed.initiatorReads());
        present("responderReads", agreed.responderReads());
        json.writeEndObject();
    }

    private void moment(Moment moment) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", moment.kind().label());
        json.writeStringField("from", moment.byInitiator() ? "initiator" : "responder");
        stamp("first", moment.first());
        json.writeNumberField("times", moment.times());
        stamp("last", moment.last());
        json.writeStringField("text", moment.words());
        json.writeEndObject();
    }

    private void finding(Finding finding) throws IOException {
        json.writeStartObject();
        json.writeStringField("code", finding.why().label());
        json.writeStringField("weight", finding.weight().weight());
        json.writeStringField("text", finding.sentence());
        json.writeStringField("reference", finding.reference());
        json.writeEndObject();
    }
}
