package proofmark.graal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import proofmark.graal.events.EventTable;

/** Tables of codes that count events, until they are written to a file. */
final class EventCodes {
    private final StringBuilder tables = new StringBuilder();

    /** Code of ours. */
    void made(Compiled compiled) {
        add(compiled.record(), compiled.id(), compiled.unit().index, compiled.result().getTargetCodeSize());
    }

    /** Code of the JVM's own compilers. */
    void foreign(Tables.Installation installation, int unit, int code) {
        add(installation.record(), code, unit, installation.size());
    }

    private void add(CodeRecord record, int code, int unit, int bytes) {
        EventTable events = record.takeEvents();
        if (events != null) {
            events.write(tables, code, unit, bytes, record.compilation.getRequest().getEntryBCI(), record.unit);
        }
    }

    /** What a compilation came to. */
    static EventCode described(Compiled compiled, long ns) {
        String signature = compiled.record().signature();
        return new EventCode(compiled.unit().index, compiled.id(), compiled.result().getTargetCodeSize(), ns,
                signature.equals(compiled.unit().baseline.record().signature()), signature);
    }

    /** Writes and forgets the tables that have come up since the last call. */
    void save(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        EventTable.writeHead(text);
        Files.writeString(file, text.append(tables).append("end\n"));
        tables.setLength(0);
    }
}
