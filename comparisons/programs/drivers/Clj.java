import clojure.java.api.Clojure;

/** Evaluates Clojure: laziness, transducers, atoms, agents, macros, multimethods. */
public class Clj {
    public static void main(String[] args) {
        var eval = Clojure.var("clojure.core", "load-string");
        System.out.println(eval.invoke("""
            (defmacro unless [c & body] `(if ~c nil (do ~@body)))
            (defmulti area :kind)
            (defmethod area :square [s] (* (:side s) (:side s)))
            (defmethod area :default [_] -1)
            (println (map area [{:kind :square :side 4} {:kind :dot}]))
            (println (transduce (comp (filter odd?) (map #(* % %))) + (range 1000)))
            (println (take 10 (iterate #(+' % %) 1N)))
            (def a (agent 0))
            (dotimes [i 100] (send a + i))
            (await a)
            (println @a (unless false :ran))
            (println (group-by count ["a" "bb" "cc" "d"]))
            (let [sum (reduce + (pmap inc (range 50)))] (shutdown-agents) sum)
            """));
        System.exit(0);
    }
}
