/** A text is made of the wrong one of two buffers. */
public class WrongBuffer {
    static class Page {
        final StringBuilder head = new StringBuilder();
        final StringBuilder body = new StringBuilder();
        String title;

        void add(String text) {
            body.append(text);
        }

        void finish() {
            StringBuilder from = head.length() == 0 ? body : head;
            title = from.toString();
        }
    }

    public static void main(String[] args) {
        Page page = new Page();
        page.add("once upon a time");
        page.finish();
        page.head.append("Tale");
        String shown = page.title;
        if (!shown.equals("Tale")) {
            throw new IllegalStateException(shown);
        }
    }
}
