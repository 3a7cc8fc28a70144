package proofmark.harness;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/** Java agent of the harness: knows the loaded classes and turns exits into {@link Exit}. */
public final class Agent {
    private static final ClassDesc EXIT = Exit.class.describeConstable().orElseThrow();
    private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
    private static Instrumentation instrumentation;

    private Agent() {
    }

    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                return ofWorkload(loader) && !name.startsWith("proofmark/harness/") ? withoutExits(bytes) : null;
            }
        });
    }

    /** Classes that the workload brought along: not the platform's and not the harness's. */
    static List<Class<?>> workloadClasses() {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            String name = type.getName();
            boolean own = name.startsWith("proofmark.harness.") || name.startsWith("proofmark.graal.") || name.startsWith("org.graalvm.");
            if (!type.isArray() && ofWorkload(type.getClassLoader()) && !own) {
                classes.add(type);
            }
        }
        return classes;
    }

    private static boolean ofWorkload(ClassLoader loader) {
        return loader != null && loader != ClassLoader.getPlatformClassLoader();
    }

    /** The class with its exits replaced, or null when it has none. */
    static byte[] withoutExits(byte[] bytes) {
        ClassFile classFile = ClassFile.of(ClassFile.ConstantPoolSharingOption.SHARED_POOL);
        ClassModel model = classFile.parse(bytes);
        boolean found = model.methods().stream().flatMap(m -> m.code().stream()).anyMatch(code -> code.elementStream().anyMatch(Agent::exits));
        return found ? classFile.transformClass(model, ClassTransform.transformingMethodBodies((MethodModel m) -> true, Agent::replace)) : null;
    }

    private static boolean exits(CodeElement element) {
        if (!(element instanceof InvokeInstruction invoke) || !invoke.typeSymbol().descriptorString().equals("(I)V")) {
            return false;
        }
        String owner = invoke.owner().asInternalName();
        String name = invoke.name().stringValue();
        return owner.equals("java/lang/System") && name.equals("exit")
                || owner.equals("java/lang/Runtime") && (name.equals("exit") || name.equals("halt"));
    }

    private static void replace(CodeBuilder builder, CodeElement element) {
        if (!exits(element)) {
            builder.with(element);
            return;
        }
        boolean onRuntime = ((InvokeInstruction) element).owner().asInternalName().equals("java/lang/Runtime");
        MethodTypeDesc type = onRuntime
                ? MethodTypeDesc.of(ConstantDescs.CD_void, RUNTIME, ConstantDescs.CD_int)
                : MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
        builder.invokestatic(EXIT, "exit", type);
    }
}
