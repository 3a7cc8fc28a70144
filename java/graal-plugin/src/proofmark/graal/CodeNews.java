package proofmark.graal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Descriptions of units, codes and installations that the other side has not been told yet. */
final class CodeNews {
    private final List<Told> units = new ArrayList<>();
    private final List<Told> codes = new ArrayList<>();
    private final List<Told> installs = new ArrayList<>();
    /** Ids of codes that were told. */
    private final Set<Integer> described = new HashSet<>();
    private int unitCount;
    private int codeCount;

    private interface Told {
        void write(Json json);
    }

    /** Index of the unit that is told next. */
    int nextUnit() {
        return unitCount;
    }

    int nextCode() {
        return codeCount++;
    }

    void unit(CodeRecord record, String name) {
        unitCount++;
        units.add(json -> record.writeUnit(json, name));
    }

    void code(Compiled compiled) {
        described.add(compiled.id());
        codes.add(compiled::write);
    }

    /**
     * Tells where a code is, if the code itself was told. What counts blocks or events is not: nobody
     * samples it, and its blocks are not always the unit's.
     */
    void install(int code, long start) {
        if (described.contains(code)) {
            install(code, start, System.nanoTime());
        }
    }

    private void install(int code, long start, long timeNs) {
        installs.add(json -> json.object().field("code", code).field("start", start).field("time_ns", timeNs).end());
    }

    /** Code of the VM's own compiler threads: a unit that nobody can install again. Returns the code's id. */
    int foreign(Tables.Installation installation) {
        int unit = nextUnit();
        int code = nextCode();
        unit(installation.record(), installation.record().unit);
        codes.add(json -> installation.record().writeCode(json, code, unit, installation.size()));
        install(code, installation.start(), installation.timeNs());
        return code;
    }

    void write(Json json) {
        json.object();
        write(json.array("units"), units);
        write(json.array("codes"), codes);
        write(json.array("installs"), installs);
        json.end();
    }

    private static void write(Json json, List<Told> list) {
        list.forEach(told -> told.write(json));
        json.end();
        list.clear();
    }
}
