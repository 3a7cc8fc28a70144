import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;

/** Rhino interprets a script: prime numbers, strings, objects. */
public final class RunScript {
    private static final String SCRIPT = String.join("\n",
            "var found = [], words = {};",
            "for (var i = 2; i < 400; i++) {",
            "  var prime = true;",
            "  for (var j = 0; j < found.length && found[j] * found[j] <= i; j++) if (i % found[j] == 0) { prime = false; break; }",
            "  if (prime) found.push(i);",
            "  var word = 'w' + (i % 37);",
            "  words[word] = (words[word] || 0) + i;",
            "}",
            "var text = ''; for (var key in words) text += key + '=' + words[key] + ';';",
            "found.length + ' ' + text.length");

    private RunScript() {
    }

    public static void main(String[] arguments) {
        Context context = Context.enter();
        try {
            context.setOptimizationLevel(-1);
            ScriptableObject scope = context.initStandardObjects();
            System.out.println(context.evaluateString(scope, SCRIPT, "script", 1, null));
        } finally {
            Context.exit();
        }
    }
}
