package proofmark.graal;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.graalvm.collections.EconomicMap;

import jdk.graal.compiler.java.LambdaUtils;
import jdk.graal.compiler.java.StableMethodNameFormatter;
import jdk.graal.compiler.nodes.spi.StableProfileProvider;
import jdk.graal.compiler.util.json.JsonParser;
import jdk.graal.compiler.util.json.JsonPrettyWriter;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.meta.JavaTypeProfile;
import jdk.vm.ci.meta.ProfilingInfo;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;

/**
 * Execution profiles on disk, one file per unit, so that another JVM compiles the same code. The
 * file's name is a hash of the unit's full name: Graal's own replay support uses simple names, which
 * collide.
 */
final class ProfileFiles {
    private static final StableProfileProvider.LambdaNameFormatter LAMBDAS = new StableProfileProvider.LambdaNameFormatter() {
        private final StableMethodNameFormatter formatter = new StableMethodNameFormatter(true);

        @Override
        public boolean isLambda(ResolvedJavaMethod method) {
            return LambdaUtils.isLambdaType(method.getDeclaringClass()) || StableMethodNameFormatter.isMethodHandle(method.getDeclaringClass());
        }

        @Override
        public String formatLamdaName(ResolvedJavaMethod method) {
            // The formatter's own name of a lambda holds the address of its class.
            return LambdaUtils.isLambdaType(method.getDeclaringClass()) ? Names.method(method) : formatter.apply(method);
        }
    };

    /**
     * The JVM names the class of a lambda by its address, and a class of another JVM is not found. What was seen of one there
     * is what this JVM has seen at the same place of a lambda of the same class, if that is a single one.
     */
    private static final class Types extends StableProfileProvider.DefaultTypeResolver {
        private static final String LAMBDA = "$$Lambda";

        @Override
        public ResolvedJavaType resolve(ResolvedJavaMethod method, ProfilingInfo realProfile, int bci, ResolvedJavaType loadingIssuingType, String typeName) {
            ResolvedJavaType found = super.resolve(method, realProfile, bci, loadingIssuingType, typeName);
            int split = typeName.indexOf(LAMBDA);
            if (found != null || split < 0) {
                return found;
            }
            JavaTypeProfile here = realProfile.getTypeProfile(bci);
            if (here == null) {
                return null;
            }
            String prefix = typeName.substring(0, split + LAMBDA.length());
            ResolvedJavaType only = null;
            for (JavaTypeProfile.ProfiledType seen : here.getTypes()) {
                ResolvedJavaType type = seen.getType();
                if (type.getName().startsWith(prefix)) {
                    if (only != null) {
                        return null;
                    }
                    only = type;
                }
            }
            return only;
        }
    }

    private ProfileFiles() {
    }

    /** A provider that answers from the unit's file, or null where there is no file for it. */
    static StableProfileProvider load(Path directory, String unit, HotSpotResolvedJavaMethod method) throws IOException {
        Path file = file(directory, unit);
        if (!Files.exists(file)) {
            return null;
        }
        StableProfileProvider provider = new StableProfileProvider(new Types());
        try (Reader reader = Files.newBufferedReader(file)) {
            provider.load(JsonParser.parseDict(reader), method.getDeclaringClass(), false, LAMBDAS);
        }
        return provider;
    }

    static void save(Path directory, String unit, StableProfileProvider provider) throws IOException {
        EconomicMap<String, Object> map = EconomicMap.create();
        map.put("unit", unit);
        provider.recordProfiles(map, type -> true, LAMBDAS);
        Path temporary = Files.createTempFile(directory, "profile", ".tmp");
        try {
            // By way of memory: writers of text keep a full disk to themselves, and half a profile is none.
            StringWriter text = new StringWriter();
            try (JsonPrettyWriter writer = new JsonPrettyWriter(new PrintWriter(text))) {
                writer.print(map);
            }
            Files.writeString(temporary, text.toString());
            Files.move(temporary, file(directory, unit));
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static Path file(Path directory, String unit) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(unit.getBytes(StandardCharsets.UTF_8));
            return directory.resolve(HexFormat.of().formatHex(hash, 0, 16) + ".profile.json");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
