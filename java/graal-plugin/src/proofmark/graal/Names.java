package proofmark.graal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jdk.graal.compiler.java.LambdaUtils;
import jdk.vm.ci.common.JVMCIError;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;

/** How methods and units are spelled, everywhere the same: {@code package.Class.name(descriptor)return}. */
public final class Names {
    private static final String LAMBDA = "$$Lambda";

    /** Names of lambdas' classes, and which class has a name. */
    private static final Map<ResolvedJavaType, String> LAMBDAS = new ConcurrentHashMap<>();
    private static final Map<String, ResolvedJavaType> TAKEN = new ConcurrentHashMap<>();

    private Names() {
    }

    public static String method(ResolvedJavaMethod method) {
        return type(method.getDeclaringClass()) + "." + method.getName() + method.getSignature().toMethodDescriptor();
    }

    /** A unit compiled for on-stack replacement has its bytecode index behind {@code @}. */
    public static String unit(ResolvedJavaMethod method, int entryBci) {
        return entryBci < 0 ? method(method) : method(method) + "@" + entryBci;
    }

    /** The JVM numbers lambdas by their address; a plan for another JVM needs a name that stays. */
    private static String type(ResolvedJavaType type) {
        return LambdaUtils.isLambdaType(type) ? LAMBDAS.computeIfAbsent(type, Names::lambda) : type.toJavaName();
    }

    /** Named after what it calls; of several that call the same, all but the first have a number. */
    private static String lambda(ResolvedJavaType type) {
        String name;
        try {
            name = LambdaUtils.findStableLambdaName(type);
        } catch (JVMCIError e) {
            // It calls nothing: the JVM's own name is all there is.
            return type.toJavaName();
        }
        int split = name.indexOf(LAMBDA);
        String java = name.substring(1, split).replace('/', '.') + name.substring(split, name.length() - 1);
        String free = java;
        for (int number = 2; !type.equals(TAKEN.computeIfAbsent(free, k -> type)); number++) {
            free = java + "-" + number;
        }
        return free;
    }
}
