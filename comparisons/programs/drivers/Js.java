import org.graalvm.polyglot.Context;

/** Runs JavaScript on Truffle's interpreter: classes, generators, promises, regular expressions, Java objects. */
public class Js {
    public static void main(String[] args) {
        try (Context context = Context.newBuilder("js").allowAllAccess(true).build()) {
            context.eval("js", """
                class P { constructor(x) { this.x = x } get twice() { return this.x * 2 } }
                function* gen(n) { for (let i = 0; i < n; i++) yield new P(i).twice }
                console.log([...gen(6)].join());
                console.log("2024-02-03".replace(/(?<y>\\d+)-(?<m>\\d+)/, "$<m>.$<y>"));
                console.log(JSON.stringify({a: [1, {b: null}], c: 0.1 + 0.2, d: 2n ** 70n + ""}));
                (async () => { for (const p of [1, 2]) console.log(await Promise.resolve(p)) })();
                let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + i) | 0; console.log(s);
                try { null.x } catch (e) { console.log(e.message) }
                console.log(new (Java.type("java.util.TreeMap"))({b: 1, a: 2}).toString());
                """);
            System.out.println(context.eval("js", "[3,1,2].sort().map(x => x ** 2)").getArrayElement(2));
        }
    }
}
