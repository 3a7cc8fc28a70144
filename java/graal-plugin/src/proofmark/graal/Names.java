package proofmark.graal;

import jdk.vm.ci.meta.ResolvedJavaMethod;

/** How methods and units are spelled, everywhere the same: {@code package.Class.name(descriptor)return}. */
public final class Names {
    private Names() {
    }

    public static String method(ResolvedJavaMethod method) {
        return method.getDeclaringClass().toJavaName() + "." + method.getName() + method.getSignature().toMethodDescriptor();
    }

    /** A unit compiled for on-stack replacement has its bytecode index behind {@code @}. */
    public static String unit(ResolvedJavaMethod method, int entryBci) {
        return entryBci < 0 ? method(method) : method(method) + "@" + entryBci;
    }
}
