package proofmark.suite.json;

/** How many values of each kind a document has, and sums that a wrongly read text would change. */
public final class Census {
    private int objects;
    private int members;
    private int arrays;
    private int elements;
    private int strings;
    private int characters;
    private int codes;
    private int numbers;
    private double sum;
    private int literals;

    void addObject(int size) {
        objects++;
        members += size;
    }

    void addArray(int size) {
        arrays++;
        elements += size;
    }

    void addText(String text) {
        strings++;
        characters += text.length();
        for (int i = 0; i < text.length(); i++) {
            codes += text.charAt(i);
        }
    }

    void addNumber(double number) {
        numbers++;
        sum += number;
    }

    void addLiteral() {
        literals++;
    }

    @Override
    public String toString() {
        return objects + " objects of " + members + " members, " + arrays + " arrays of " + elements + " elements, "
                + strings + " strings of " + characters + " characters summing to " + codes + ", "
                + numbers + " numbers summing to " + Math.round(sum) + ", " + literals + " literals";
    }
}
