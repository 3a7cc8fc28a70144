package proofmark.graal;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import jdk.graal.compiler.core.common.PermanentBailoutException;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/**
 * Keeps the VM's compiler threads from inlining a unit under control into a caller that is not: the
 * caller would from then on run its own copy, and what is installed for the unit would no longer be
 * run by anybody. A method that calls a workload is not hot itself, but after some thousand
 * iterations the VM compiles it all the same. It stays in C1 code, where the first look saw it.
 */
final class Callers {
    /** Code that the compiler itself may share with the workload: it may inline its own kind. */
    private static final List<String> SHARED = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.graalvm.", "proofmark.graal.");

    private static final Set<String> UNITS = ConcurrentHashMap.newKeySet();
    /** The thread that compiles for the laboratory, while it does. */
    private static volatile Thread laboratory;

    private Callers() {
    }

    static void add(String unit) {
        UNITS.add(unit);
    }

    static void remove(String unit) {
        UNITS.remove(unit);
    }

    /** From now on until {@link #leave} this thread compiles for the laboratory. */
    static void enter() {
        laboratory = Thread.currentThread();
    }

    static void leave() {
        laboratory = null;
    }

    /** Ends the compilation if it is the VM's own and has inlined a unit under control. */
    static void check(String root, List<ResolvedJavaMethod> methods) {
        if (Thread.currentThread() == laboratory || UNITS.isEmpty() || UNITS.contains(root)) {
            return;
        }
        boolean shared = isShared(root);
        for (ResolvedJavaMethod method : methods) {
            String unit = Names.method(method);
            if (UNITS.contains(unit) && !(shared && isShared(unit))) {
                throw new PermanentBailoutException("Proofmark: %s would run its own copy of %s", root, unit);
            }
        }
    }

    private static boolean isShared(String method) {
        return SHARED.stream().anyMatch(method::startsWith);
    }
}
