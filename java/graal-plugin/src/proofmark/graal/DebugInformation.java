package proofmark.graal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jdk.graal.compiler.code.CompilationResult;
import jdk.graal.compiler.code.SourceMapping;
import jdk.vm.ci.code.BytecodePosition;
import jdk.vm.ci.code.site.Call;
import jdk.vm.ci.code.site.Infopoint;
import jdk.vm.ci.code.site.Site;

/**
 * What the VM will know about a code's source positions, and hence what every profiler that asks it
 * can know at best: a list of offsets; an address belongs to the first one at or behind it.
 *
 * <p>Always there: calls, safepoints and implicit exceptions, at their end. With debug information
 * between safepoints also the end of every operation, unless another site (a call, a data patch, a
 * mark) lies within or at the ends of the operation: then the installation drops the position.
 */
final class DebugInformation {
    /** A source position that ends at an offset. */
    record Entry(int offset, BytecodePosition position) {
    }

    private DebugInformation() {
    }

    static List<Entry> of(CompilationResult result, boolean betweenSafepoints) {
        List<Entry> entries = new ArrayList<>();
        for (Infopoint point : result.getInfopoints()) {
            if (point.debugInfo != null && point.debugInfo.getBytecodePosition() != null) {
                int end = point.pcOffset + (point instanceof Call call ? call.size : 0);
                entries.add(new Entry(end, point.debugInfo.getBytecodePosition()));
            }
        }
        if (betweenSafepoints) {
            addMappings(result, entries);
        }
        entries.sort(Comparator.comparingInt(Entry::offset));
        return entries;
    }

    private static void addMappings(CompilationResult result, List<Entry> entries) {
        Set<Integer> taken = new HashSet<>();
        List.<List<? extends Site>>of(result.getInfopoints(), result.getDataPatches(), result.getMarks(), result.getExceptionHandlers())
                .forEach(sites -> sites.forEach(site -> taken.add(site.pcOffset)));
        for (SourceMapping mapping : result.getSourceMappings()) {
            boolean own = !mapping.getSourcePosition().isPlaceholder() && !mapping.getSourcePosition().isSubstitution();
            if (own && free(taken, mapping) && mapping.getSourcePosition().trim() != null) {
                entries.add(new Entry(mapping.getEndOffset(), mapping.getSourcePosition().trim()));
            }
        }
    }

    private static boolean free(Set<Integer> taken, SourceMapping mapping) {
        for (int offset = mapping.getStartOffset(); offset <= mapping.getEndOffset(); offset++) {
            if (taken.contains(offset)) {
                return false;
            }
        }
        return true;
    }
}
