import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A small workbench: a scripting language with three back ends, a table engine, containers, graphs and
 * a warehouse. It exists to be compiled (its class files are compared with those of another compiler
 * run) and to be run (it prints the same lines every time).
 */
public class Big {
    // ------------------------------------------------------------------ annotations

    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD})
    @Repeatable(Notes.class)
    @interface Note {
        String value();

        int weight() default 1 << 4;

        Class<?>[] about() default {};
    }

    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD})
    @interface Notes {
        Note[] value();
    }

    @Retention(RetentionPolicy.CLASS)
    @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
    @interface Checked {
    }

    // ------------------------------------------------------------------ the language: tokens

    enum Kind {
        NUMBER, NAME, TEXT, PLUS("+"), MINUS("-"), STAR("*"), SLASH("/"), PERCENT("%"), LESS("<"), MORE(">"), SAME("=="), OTHER("!="),
        AND("&&"), OR("||"), NOT("!"), ASSIGN("="), OPEN("("), CLOSE(")"), BEGIN("{"), END("}"), COMMA(","), SEMI(";"), LET("let"),
        IF("if"), ELSE("else"), WHILE("while"), FUN("fun"), RETURN("return"), PRINT("print"), EOF;

        final String text;

        Kind() {
            this(null);
        }

        Kind(String text) {
            this.text = text;
        }

        static final Map<String, Kind> WORDS = new HashMap<>();

        static {
            for (Kind k : values()) {
                if (k.text != null && Character.isLetter(k.text.charAt(0))) {
                    WORDS.put(k.text, k);
                }
            }
        }

        int precedence() {
            return switch (this) {
                case OR -> 1;
                case AND -> 2;
                case SAME, OTHER -> 3;
                case LESS, MORE -> 4;
                case PLUS, MINUS -> 5;
                case STAR, SLASH, PERCENT -> 6;
                default -> 0;
            };
        }
    }

    record Token(Kind kind, String text, int line) {
        Token {
            Objects.requireNonNull(kind);
            if (line < 1) {
                throw new IllegalArgumentException("line " + line);
            }
        }

        Token(Kind kind, int line) {
            this(kind, kind.text, line);
        }

        @Override
        public String toString() {
            return kind + (text == null ? "" : "'" + text + "'") + "@" + line;
        }
    }

    static final class ScriptError extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final int line;

        ScriptError(int line, String format, Object... args) {
            super(String.format(Locale.ROOT, format, args));
            this.line = line;
        }

        @Override
        public String getMessage() {
            return "line " + line + ": " + super.getMessage();
        }
    }

    static class Lexer implements Iterable<Token> {
        private final CharSequence source;
        private int at;
        private int line = 1;

        Lexer(CharSequence source) {
            this.source = source;
        }

        private char peek(int ahead) {
            int i = at + ahead;
            return i < source.length() ? source.charAt(i) : '\0';
        }

        Token next() {
            skip:
            while (true) {
                switch (peek(0)) {
                    case '\n':
                        line++;
                    case ' ':
                    case '\t':
                    case '\r':
                        at++;
                        continue skip;
                    case '#':
                        while (peek(0) != '\n' && peek(0) != '\0') {
                            at++;
                        }
                        continue;
                    default:
                        break skip;
                }
            }
            char c = peek(0);
            if (c == '\0') {
                return new Token(Kind.EOF, line);
            }
            if (Character.isDigit(c)) {
                int from = at;
                do {
                    at++;
                } while (Character.isDigit(peek(0)) || peek(0) == '_');
                return new Token(Kind.NUMBER, source.subSequence(from, at).toString().replace("_", ""), line);
            }
            if (Character.isJavaIdentifierStart(c)) {
                int from = at;
                while (Character.isJavaIdentifierPart(peek(0)) && peek(0) != '\0') {
                    at++;
                }
                String word = source.subSequence(from, at).toString();
                Kind k = Kind.WORDS.get(word);
                return k == null ? new Token(Kind.NAME, word, line) : new Token(k, line);
            }
            if (c == '"') {
                StringBuilder b = new StringBuilder();
                for (at++; (c = peek(0)) != '"'; at++) {
                    if (c == '\0') {
                        throw new ScriptError(line, "text without end");
                    }
                    b.append(c == '\\' ? switch (peek(++at - at + 1)) {
                        case 'n' -> '\n';
                        case 't' -> '\t';
                        default -> peek(0);
                    } : c);
                }
                at++;
                return new Token(Kind.TEXT, b.toString(), line);
            }
            Kind found = null;
            for (Kind k : Kind.values()) {
                String t = k.text;
                if (t == null || Character.isLetter(t.charAt(0))) {
                    continue;
                }
                boolean matches = t.charAt(0) == c && (t.length() == 1 || t.charAt(1) == peek(1));
                if (matches && (found == null || t.length() > found.text.length())) {
                    found = k;
                }
            }
            if (found == null) {
                throw new ScriptError(line, "unexpected '%c' (U+%04X)", c, (int) c);
            }
            at += found.text.length();
            return new Token(found, line);
        }

        @Override
        public Iterator<Token> iterator() {
            return new Iterator<>() {
                private Token ahead = Lexer.this.next();
                private boolean done;

                @Override
                public boolean hasNext() {
                    return !done;
                }

                @Override
                public Token next() {
                    if (done) {
                        throw new NoSuchElementException();
                    }
                    Token t = ahead;
                    done = t.kind() == Kind.EOF;
                    if (!done) {
                        ahead = Lexer.this.next();
                    }
                    return t;
                }
            };
        }
    }

    // ------------------------------------------------------------------ the language: trees

    sealed interface Expr permits Num, Str, Ref, Unary, Binary, Call {
        int line();

        default <R> R accept(ExprVisitor<? extends R> v) {
            if (this instanceof Num n) {
                return v.number(n);
            } else if (this instanceof Str s) {
                return v.text(s);
            } else if (this instanceof Ref r) {
                return v.reference(r);
            } else if (this instanceof Unary u) {
                return v.unary(u);
            } else if (this instanceof Binary b) {
                return v.binary(b);
            } else if (this instanceof Call c && c.args() != null) {
                return v.call(c);
            }
            throw new AssertionError(this);
        }
    }

    record Num(int line, long value) implements Expr {
    }

    record Str(int line, String value) implements Expr {
    }

    record Ref(int line, String name) implements Expr {
    }

    record Unary(int line, Kind op, Expr operand) implements Expr {
    }

    record Binary(int line, Kind op, Expr left, Expr right) implements Expr {
    }

    record Call(int line, String function, List<Expr> args) implements Expr {
        Call(int line, String function, Expr... args) {
            this(line, function, List.of(args));
        }
    }

    interface ExprVisitor<R> {
        R number(Num n);

        R text(Str s);

        R reference(Ref r);

        R unary(Unary u);

        R binary(Binary b);

        R call(Call c);
    }

    static abstract sealed class Stmt {
        final int line;

        protected Stmt(int line) {
            this.line = line;
        }

        abstract void run(Scope scope) throws Returned;
    }

    static final class Let extends Stmt {
        final String name;
        final Expr value;
        final boolean fresh;

        Let(int line, String name, Expr value, boolean fresh) {
            super(line);
            this.name = name;
            this.value = value;
            this.fresh = fresh;
        }

        @Override
        void run(Scope scope) {
            Object v = scope.eval(value);
            if (fresh) {
                scope.define(name, v);
            } else {
                scope.assign(line, name, v);
            }
        }
    }

    static final class Show extends Stmt {
        final List<Expr> values;

        Show(int line, List<Expr> values) {
            super(line);
            this.values = values;
        }

        @Override
        void run(Scope scope) {
            scope.machine.out.accept(values.stream().map(scope::eval).map(String::valueOf).collect(Collectors.joining(" ")));
        }
    }

    static final class Block extends Stmt {
        final List<Stmt> body;

        Block(int line, List<Stmt> body) {
            super(line);
            this.body = body;
        }

        @Override
        void run(Scope scope) throws Returned {
            Scope inner = new Scope(scope.machine, scope);
            for (Stmt s : body) {
                s.run(inner);
            }
        }
    }

    static final class Branch extends Stmt {
        final Expr condition;
        final Stmt yes, no;
        final boolean loop;

        Branch(Expr condition, Stmt yes, Stmt no, boolean loop) {
            super(condition.line());
            this.condition = condition;
            this.yes = yes;
            this.no = no;
            this.loop = loop;
        }

        @Override
        void run(Scope scope) throws Returned {
            boolean held;
            do {
                held = truth(scope.eval(condition));
                if (held) {
                    yes.run(scope);
                } else if (no != null) {
                    no.run(scope);
                }
            } while (loop && held);
        }
    }

    static final class Return extends Stmt {
        final Expr value;

        Return(int line, Expr value) {
            super(line);
            this.value = value;
        }

        @Override
        void run(Scope scope) throws Returned {
            throw new Returned(value == null ? 0L : scope.eval(value));
        }
    }

    static final class Function1 extends Stmt {
        final String name;
        final List<String> parameters;
        final Block body;

        Function1(int line, String name, List<String> parameters, Block body) {
            super(line);
            this.name = name;
            this.parameters = List.copyOf(parameters);
            this.body = body;
        }

        @Override
        void run(Scope scope) {
            scope.machine.functions.put(name, this);
        }
    }

    static final class Returned extends Exception {
        private static final long serialVersionUID = 2L;
        final transient Object value;

        Returned(Object value) {
            super(null, null, false, false);
            this.value = value;
        }
    }

    static boolean truth(Object o) {
        return o instanceof Long l ? l != 0 : o instanceof String s && !s.isEmpty();
    }

    // ------------------------------------------------------------------ the language: parser

    static class Parser {
        private final List<Token> tokens = new ArrayList<>();
        private int at;

        Parser(String source) {
            new Lexer(source).forEach(tokens::add);
        }

        private Token peek() {
            return tokens.get(at);
        }

        private boolean accept(Kind k) {
            boolean is = peek().kind() == k;
            at += is ? 1 : 0;
            return is;
        }

        private Token expect(Kind k) {
            Token t = peek();
            if (!accept(k)) {
                throw new ScriptError(t.line(), "%s expected, not %s", k, t);
            }
            return t;
        }

        List<Stmt> program() {
            List<Stmt> all = new ArrayList<>();
            while (peek().kind() != Kind.EOF) {
                all.add(statement());
            }
            return all;
        }

        private Stmt statement() {
            Token t = peek();
            at++;
            switch (t.kind()) {
                case LET: {
                    String name = expect(Kind.NAME).text();
                    expect(Kind.ASSIGN);
                    return end(new Let(t.line(), name, expression(0), true));
                }
                case PRINT: {
                    List<Expr> values = new ArrayList<>();
                    do {
                        values.add(expression(0));
                    } while (accept(Kind.COMMA));
                    return end(new Show(t.line(), values));
                }
                case RETURN:
                    return end(new Return(t.line(), peek().kind() == Kind.SEMI ? null : expression(0)));
                case BEGIN:
                    at--;
                    return block();
                case IF:
                case WHILE: {
                    Expr condition = expression(0);
                    Stmt yes = block();
                    Stmt no = t.kind() == Kind.IF && accept(Kind.ELSE) ? peek().kind() == Kind.IF ? statement() : block() : null;
                    return new Branch(condition, yes, no, t.kind() == Kind.WHILE);
                }
                case FUN: {
                    String name = expect(Kind.NAME).text();
                    List<String> parameters = new ArrayList<>();
                    expect(Kind.OPEN);
                    while (!accept(Kind.CLOSE)) {
                        parameters.add(expect(Kind.NAME).text());
                        if (peek().kind() != Kind.CLOSE) {
                            expect(Kind.COMMA);
                        }
                    }
                    return new Function1(t.line(), name, parameters, block());
                }
                case NAME:
                    if (accept(Kind.ASSIGN)) {
                        return end(new Let(t.line(), t.text(), expression(0), false));
                    }
                default:
                    at--;
                    return end(new Show(t.line(), List.of(expression(0))));
            }
        }

        private <S extends Stmt> S end(S s) {
            expect(Kind.SEMI);
            return s;
        }

        private Block block() {
            int line = expect(Kind.BEGIN).line();
            List<Stmt> body = new ArrayList<>();
            while (!accept(Kind.END)) {
                body.add(statement());
            }
            return new Block(line, body);
        }

        Expr expression(int least) {
            Expr left = primary();
            for (int p; (p = peek().kind().precedence()) > least; ) {
                Token op = tokens.get(at++);
                left = new Binary(op.line(), op.kind(), left, expression(p));
            }
            return left;
        }

        private Expr primary() {
            Token t = tokens.get(at++);
            return switch (t.kind()) {
                case NUMBER -> new Num(t.line(), Long.parseLong(t.text()));
                case TEXT -> new Str(t.line(), t.text());
                case MINUS, NOT -> new Unary(t.line(), t.kind(), primary());
                case OPEN -> {
                    Expr e = expression(0);
                    expect(Kind.CLOSE);
                    yield e;
                }
                case NAME -> {
                    if (!accept(Kind.OPEN)) {
                        yield new Ref(t.line(), t.text());
                    }
                    List<Expr> args = new ArrayList<>();
                    while (!accept(Kind.CLOSE)) {
                        args.add(expression(0));
                        if (peek().kind() != Kind.CLOSE) {
                            expect(Kind.COMMA);
                        }
                    }
                    yield new Call(t.line(), t.text(), args);
                }
                default -> throw new ScriptError(t.line(), "unexpected %s", t);
            };
        }
    }

    // ------------------------------------------------------------------ the language: evaluation

    static class Machine {
        final Map<String, Function1> functions = new TreeMap<>();
        final Map<String, Function<List<Object>, Object>> builtins = new LinkedHashMap<>();
        final Consumer<? super String> out;
        int calls;

        {
            builtins.put("len", a -> (long) a.get(0).toString().length());
            builtins.put("max", a -> a.stream().mapToLong(o -> (Long) o).max().orElse(Long.MIN_VALUE));
            builtins.put("rev", a -> new StringBuilder(a.get(0).toString()).reverse().toString());
            builtins.put("str", Machine::text);
        }

        Machine(Consumer<? super String> out) {
            this.out = out;
        }

        private static Object text(List<Object> args) {
            return args.stream().map(Object::toString).collect(Collectors.joining());
        }

        void run(List<? extends Stmt> program) {
            Scope globals = new Scope(this, null);
            try {
                for (Stmt s : program) {
                    s.run(globals);
                }
            } catch (Returned r) {
                out.accept("-> " + r.value);
            }
        }
    }

    static class Scope implements ExprVisitor<Object> {
        final Machine machine;
        private final Scope outer;
        private final Map<String, Object> values = new HashMap<>();

        Scope(Machine machine, Scope outer) {
            this.machine = machine;
            this.outer = outer;
        }

        Object eval(Expr e) {
            return e.accept(this);
        }

        void define(String name, Object value) {
            values.put(name, value);
        }

        private Optional<Scope> holder(String name) {
            for (Scope s = this; s != null; s = s.outer) {
                if (s.values.containsKey(name)) {
                    return Optional.of(s);
                }
            }
            return Optional.empty();
        }

        void assign(int line, String name, Object value) {
            holder(name).orElseThrow(() -> new ScriptError(line, "no variable %s", name)).values.put(name, value);
        }

        @Override
        public Long number(Num n) {
            return n.value();
        }

        @Override
        public String text(Str s) {
            return s.value();
        }

        @Override
        public Object reference(Ref r) {
            return holder(r.name()).map(s -> s.values.get(r.name())).orElseThrow(() -> new ScriptError(r.line(), "no variable %s", r.name()));
        }

        @Override
        public Object unary(Unary u) {
            Object v = eval(u.operand());
            return u.op() == Kind.NOT ? truth(v) ? 0L : 1L : (Object) (-(Long) v);
        }

        @Override
        public Object binary(Binary b) {
            Object l = eval(b.left());
            if (b.op() == Kind.AND || b.op() == Kind.OR) {
                return truth(l) == (b.op() == Kind.OR) ? l : eval(b.right());
            }
            Object r = eval(b.right());
            if (l instanceof String || r instanceof String) {
                return switch (b.op()) {
                    case PLUS -> l + "" + r;
                    case SAME -> l.equals(r) ? 1L : 0L;
                    case OTHER -> l.equals(r) ? 0L : 1L;
                    case STAR -> String.valueOf(l).repeat(((Long) r).intValue());
                    default -> throw new ScriptError(b.line(), "%s on texts", b.op());
                };
            }
            try {
                return arithmetic(b.op(), (Long) l, (Long) r);
            } catch (ArithmeticException e) {
                ScriptError s = new ScriptError(b.line(), "%s", e.getMessage());
                s.initCause(e);
                throw s;
            }
        }

        static long arithmetic(Kind op, long l, long r) {
            return switch (op) {
                case PLUS -> l + r;
                case MINUS -> l - r;
                case STAR -> Math.multiplyExact(l, r);
                case SLASH -> l / r;
                case PERCENT -> l % r;
                case LESS -> l < r ? 1 : 0;
                case MORE -> l > r ? 1 : 0;
                case SAME -> l == r ? 1 : 0;
                case OTHER -> l != r ? 1 : 0;
                default -> throw new IllegalStateException(op.name());
            };
        }

        @Override
        public Object call(Call c) {
            machine.calls++;
            List<Object> args = c.args().stream().map(this::eval).toList();
            Function1 f = machine.functions.get(c.function());
            if (f == null) {
                Function<List<Object>, Object> g = machine.builtins.get(c.function());
                if (g == null) {
                    throw new ScriptError(c.line(), "no function %s", c.function());
                }
                return g.apply(args);
            }
            if (args.size() != f.parameters.size()) {
                throw new ScriptError(c.line(), "%s takes %d, not %d", f.name, f.parameters.size(), args.size());
            }
            Scope inner = new Scope(machine, null);
            for (int i = 0; i < args.size(); i++) {
                inner.define(f.parameters.get(i), args.get(i));
            }
            try {
                f.body.run(inner);
            } catch (Returned r) {
                return r.value;
            }
            return 0L;
        }
    }

    /** Folds what is constant. */
    static class Folder implements ExprVisitor<Expr> {
        int folded;

        public Expr number(Num n) {
            return n;
        }

        public Expr text(Str s) {
            return s;
        }

        public Expr reference(Ref r) {
            return r;
        }

        public Expr unary(Unary u) {
            Expr e = u.operand().accept(this);
            if (e instanceof Num n) {
                folded++;
                return new Num(u.line(), u.op() == Kind.MINUS ? -n.value() : n.value() == 0 ? 1 : 0);
            }
            return e == u.operand() ? u : new Unary(u.line(), u.op(), e);
        }

        public Expr binary(Binary b) {
            Expr l = b.left().accept(this), r = b.right().accept(this);
            if (l instanceof Num x && r instanceof Num y && b.op().precedence() > 2) {
                if (!(y.value() == 0 && (b.op() == Kind.SLASH || b.op() == Kind.PERCENT))) {
                    folded++;
                    return new Num(b.line(), Scope.arithmetic(b.op(), x.value(), y.value()));
                }
            }
            if (l instanceof Num x && x.value() == 0 && b.op() == Kind.PLUS) {
                folded++;
                return r;
            }
            return new Binary(b.line(), b.op(), l, r);
        }

        public Expr call(Call c) {
            return new Call(c.line(), c.function(), c.args().stream().map(a -> a.accept(this)).collect(Collectors.toUnmodifiableList()));
        }
    }

    /** Code of a stack machine for expressions over the variables a to z. */
    static class StackCode implements ExprVisitor<Integer> {
        enum Op implements IntBinaryOperator {
            ADD('+') {
                @Override
                public int applyAsInt(int a, int b) {
                    return a + b;
                }
            },
            SUB('-') {
                @Override
                public int applyAsInt(int a, int b) {
                    return a - b;
                }
            },
            MUL('*') {
                @Override
                public int applyAsInt(int a, int b) {
                    return a * b;
                }
            },
            XOR('^') {
                @Override
                public int applyAsInt(int a, int b) {
                    return (a ^ b) >>> 1 | (a & b) << 1;
                }
            };

            final char sign;

            Op(char sign) {
                this.sign = sign;
            }
        }

        private final List<Object> code = new ArrayList<>();

        private int emit(Object o) {
            code.add(o);
            return code.size();
        }

        @Override
        public Integer number(Num n) {
            return emit((int) n.value());
        }

        @Override
        public Integer text(Str s) {
            return emit(s.value().hashCode());
        }

        @Override
        public Integer reference(Ref r) {
            return emit(r.name().charAt(0));
        }

        @Override
        public Integer unary(Unary u) {
            emit(0);
            u.operand().accept(this);
            return emit(Op.SUB);
        }

        @Override
        public Integer binary(Binary b) {
            b.left().accept(this);
            b.right().accept(this);
            return emit(switch (b.op()) {
                case PLUS, OR -> Op.ADD;
                case MINUS -> Op.SUB;
                case STAR, AND -> Op.MUL;
                default -> Op.XOR;
            });
        }

        @Override
        public Integer call(Call c) {
            int n = c.args().size();
            if (n == 0) {
                return emit((short) 7);
            }
            c.args().forEach(a -> a.accept(this));
            for (int i = 1; i < n; ++i) {
                emit(Op.XOR);
            }
            return code.size();
        }

        int run(int... variables) {
            int[] stack = new int[code.size() + 1];
            int sp = 0;
            for (Object o : code) {
                if (o instanceof Integer i) {
                    stack[sp++] = i;
                } else if (o instanceof Character c) {
                    stack[sp++] = variables[(c - 'a') % variables.length];
                } else if (o instanceof Op op) {
                    int b = stack[--sp];
                    stack[sp - 1] = op.applyAsInt(stack[sp - 1], b);
                } else {
                    stack[sp++] += ((Short) o) * 2;
                }
            }
            return stack[0];
        }

        @Override
        public String toString() {
            StringBuilder b = new StringBuilder();
            for (Object o : code) {
                b.append(o instanceof Op op ? op.sign : o).append(' ');
            }
            b.setLength(Math.max(0, b.length() - 1));
            return b.toString();
        }
    }

    static void language() {
        String source = """
                # numbers
                fun fib(n) { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
                fun gcd(a, b) { while b != 0 { let t = a % b; a = b; b = t; } return a; }
                let i = 0; let sum = 0;
                while i < 10 { sum = sum + fib(i) * (i % 3 == 1); i = i + 1; }
                print "sum", sum, gcd(1_071, 462);
                print rev("stressed") + "!" * 3, len("twelve") == 6 && "yes" || "no";
                if sum > 1000 { print "big"; } else if sum > 40 { print "middling", -sum; } else { print "small"; }
                print max(3, 9, 4), str("a", 1, "b"), !0;
                fib(15);
                return i * 2;
                """;
        List<String> lines = new ArrayList<>();
        Machine m = new Machine(lines::add);
        m.run(new Parser(source).program());
        lines.forEach(System.out::println);
        System.out.println("calls " + m.calls + " functions " + m.functions.keySet());
        for (String bad : new String[] {"print 1 / 0;", "let x = ;", "print y;", "x = 1;", "print \"abc;", "fun f(a) { return a; } print f(1, 2);", "print 5 $ 5;", "print g();", "print \"a\" - 1;"}) {
            try {
                new Machine(System.out::println).run(new Parser(bad).program());
            } catch (ScriptError e) {
                System.out.println(e.getMessage() + (e.getCause() == null ? "" : " <- " + e.getCause().getClass().getName()));
            }
        }
        Folder folder = new Folder();
        for (String text : List.of("1 + 2 * 3 - x", "0 + (4 - 4) + y", "-(2 * 8) + a * -b", "f(1 + 1, b, 2 * 3) * 5", "g() + \"t\" * 2")) {
            Expr e = new Parser(text).expression(0), f = e.accept(folder);
            StackCode c = new StackCode(), d = new StackCode();
            int before = e.accept(c), after = f.accept(d);
            System.out.println(f + " | " + d + " | " + before + ">" + after + " = " + c.run(3, 5, 7) + " " + d.run(3, 5, 7));
        }
        System.out.println("folded " + folder.folded + " " + new Parser("a").expression(0).equals(new Ref(1, "a")));
    }

    // ------------------------------------------------------------------ containers

    interface Shape<T extends Shape<T>> extends Comparable<T> {
        double area();

        T scaled(double by);

        private String round(double d) {
            return String.format(Locale.ROOT, "%.2f", d);
        }

        default String describe() {
            return getClass().getSimpleName() + "(" + round(area()) + ")";
        }

        @Override
        default int compareTo(T other) {
            return Double.compare(area(), other.area());
        }

        static <S extends Shape<S>> S largest(Collection<? extends S> all) {
            return all.stream().max(Comparator.<S>naturalOrder()).orElseThrow();
        }
    }

    record Square(double side) implements Shape<Square> {
        public double area() {
            return side * side;
        }

        public Square scaled(double by) {
            return new Square(side * by);
        }
    }

    record Disc(float radius) implements Shape<Disc> {
        static final double TAU = 2 * Math.PI;

        public double area() {
            return TAU / 2 * radius * radius;
        }

        public Disc scaled(double by) {
            return new Disc((float) (radius * by));
        }
    }

    /** A left-leaning red-black tree. */
    static class Tree<K extends Comparable<? super K>, V> implements Iterable<Map.Entry<K, V>> {
        private class Node implements Map.Entry<K, V> {
            final K key;
            V value;
            Node left, right;
            boolean red = true;

            Node(K key, V value) {
                this.key = key;
                this.value = value;
                size++;
            }

            @Override
            public K getKey() {
                return key;
            }

            @Override
            public V getValue() {
                return value;
            }

            @Override
            public V setValue(V v) {
                V old = value;
                value = v;
                return old;
            }
        }

        private Node root;
        private int size;

        private boolean red(Node n) {
            return n != null && n.red;
        }

        private Node rotate(Node h, boolean left) {
            Node x = left ? h.right : h.left;
            if (left) {
                h.right = x.left;
                x.left = h;
            } else {
                h.left = x.right;
                x.right = h;
            }
            x.red = h.red;
            h.red = true;
            return x;
        }

        void put(K key, V value, BinaryOperator<V> merge) {
            root = put(root, key, value, merge);
            root.red = false;
        }

        private Node put(Node h, K key, V value, BinaryOperator<V> merge) {
            if (h == null) {
                return new Node(key, value);
            }
            int c = key.compareTo(h.key);
            if (c == 0) {
                h.setValue(merge.apply(h.value, value));
            } else if (c < 0) {
                h.left = put(h.left, key, value, merge);
            } else {
                h.right = put(h.right, key, value, merge);
            }
            if (red(h.right) && !red(h.left)) {
                h = rotate(h, true);
            }
            if (red(h.left) && red(h.left.left)) {
                h = rotate(h, false);
            }
            if (red(h.left) && red(h.right)) {
                h.red ^= true;
                h.left.red = h.right.red = !h.red;
            }
            return h;
        }

        int height() {
            return new Object() {
                int of(Node n) {
                    return n == null ? 0 : 1 + Math.max(of(n.left), of(n.right));
                }
            }.of(root);
        }

        @Override
        public Iterator<Map.Entry<K, V>> iterator() {
            Deque<Node> path = new ArrayDeque<>();
            class Walk implements Iterator<Map.Entry<K, V>> {
                Walk(Node from) {
                    descend(from);
                }

                private void descend(Node n) {
                    for (; n != null; n = n.left) {
                        path.push(n);
                    }
                }

                @Override
                public boolean hasNext() {
                    return !path.isEmpty();
                }

                @Override
                public Map.Entry<K, V> next() {
                    Node n = path.pop();
                    descend(n.right);
                    return n;
                }
            }
            return new Walk(root);
        }
    }

    /** A list that shares its tails. */
    static abstract class Chain<@Checked T> {
        private static final Chain<?> EMPTY = new Chain<>() {
            @Override
            <R> R match(Supplier<? extends R> none, BiFunction<? super Object, ? super Chain<Object>, ? extends R> some) {
                return none.get();
            }
        };

        abstract <R> R match(Supplier<? extends R> none, BiFunction<? super T, ? super Chain<T>, ? extends R> some);

        @SuppressWarnings("unchecked")
        static <T> Chain<T> empty() {
            return (Chain<T>) EMPTY;
        }

        Chain<T> with(T head) {
            Chain<T> tail = this;
            return new Chain<>() {
                @Override
                <R> R match(Supplier<? extends R> none, BiFunction<? super T, ? super Chain<T>, ? extends R> some) {
                    return some.apply(head, tail);
                }
            };
        }

        @SafeVarargs
        static <T> Chain<T> of(T... items) {
            Chain<T> c = empty();
            for (int i = items.length; --i >= 0; ) {
                c = c.with(items[i]);
            }
            return c;
        }

        <A> A fold(A zero, BiFunction<? super A, ? super T, ? extends A> f) {
            return match(() -> zero, (h, t) -> t.<A>fold(f.apply(zero, h), f));
        }

        <R> Chain<R> map(Function<? super T, ? extends R> f) {
            return this.<Chain<R>>match(Chain::empty, (h, t) -> t.<R>map(f).with(f.apply(h)));
        }

        Chain<T> reversed() {
            return fold(Chain.<T>empty(), Chain::with);
        }

        @Override
        public String toString() {
            return fold(new StringBuilder("["), (b, x) -> b.append(b.length() > 1 ? ", " : "").append(x)).append(']').toString();
        }
    }

    static class Cache<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 3L;
        private final int most;
        int missed;

        Cache(int most) {
            super(16, .75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
        }

        V look(K key, Function<? super K, ? extends V> make) {
            V v = super.get(key);
            if (v == null) {
                missed += 1;
                put(key, v = make.apply(key));
            }
            return v;
        }
    }

    static void containers() {
        Tree<String, Integer> words = new Tree<>();
        String poem = "the quick brown fox jumps over the lazy dog and the dog sleeps on while the fox runs over the hill";
        for (String w : poem.split(" ")) {
            words.put(w, 1, Integer::sum);
        }
        StringBuilder b = new StringBuilder();
        for (Map.Entry<String, Integer> e : words) {
            if (e.getValue() > 1) {
                b.append(e.getKey()).append('=').append(e.getValue()).append(' ');
            }
        }
        System.out.println(b + "of " + words.size + ", height " + words.height());
        Tree<Integer, Long> numbers = new Tree<>();
        for (int i = 0, k = 17; i < 1000; i++, k = k * 31 % 1009) {
            numbers.put(k, (long) i, Math::max);
        }
        long check = 0;
        for (var e : numbers) {
            check = check * 7 + e.getKey() ^ e.setValue(0L);
        }
        System.out.println(numbers.size + " " + numbers.height() + " " + Long.toHexString(check));

        Chain<Integer> c = Chain.of(3, 1, 4, 1, 5, 9, 2, 6);
        System.out.println(c.map(x -> x * x).reversed() + " " + c.fold(0, Integer::sum) + " " + Chain.of() + " " + c.map(Integer::toBinaryString).with("head"));

        List<Square> squares = Stream.iterate(new Square(1), s -> s.scaled(1.5)).limit(4).collect(Collectors.toCollection(ArrayList::new));
        Collections.reverse(squares);
        System.out.println(Shape.largest(squares).describe() + " " + new Disc(1.5f).scaled(2).describe() + " " + squares.get(0).compareTo(squares.get(3)) + " " + new Disc(2));

        Cache<Integer, String> cache = new Cache<>(3);
        for (int i : new int[] {1, 2, 3, 1, 4, 1, 2, 5, 1}) {
            cache.look(i, k -> "v" + k * k);
        }
        System.out.println(cache + " missed " + cache.missed);

        PriorityQueue<int[]> queue = new PriorityQueue<>(Comparator.<int[]>comparingInt(a -> a[1]).thenComparing(a -> a[0], Comparator.reverseOrder()));
        for (int i = 0; i < 12; i++) {
            queue.add(new int[] {i, i * 5 % 4});
        }
        for (int[] head; (head = queue.poll()) != null; ) {
            System.out.print(head[0] + "/" + head[1] + (queue.isEmpty() ? "\n" : " "));
        }
    }

    // ------------------------------------------------------------------ the warehouse

    enum Category {
        TOOLS, TOYS(.07), BOOKS(.05) {
            @Override
            double tax(double price) {
                return price > 50 ? super.tax(price) * 2 : super.tax(price);
            }
        },
        FOOD(0);

        private final double rate;

        Category() {
            this(.19);
        }

        Category(double rate) {
            this.rate = rate;
        }

        double tax(double price) {
            return price * rate;
        }
    }

    record Item(String name, Category category, double price, int stock) {
        static Item parse(String line) {
            String[] f = line.split("\\s*[,;]\\s*");
            return new Item(f[0], Category.valueOf(f[1].toUpperCase(Locale.ROOT)), Double.parseDouble(f[2]), Integer.parseInt(f[3]));
        }

        boolean cheaperThan(Item other) {
            return price < other.price;
        }

        double gross() {
            return price + category.tax(price);
        }
    }

    record Pair<A, B>(A first, B second) {
        static <A, B> Pair<A, B> of(A a, B b) {
            return new Pair<>(a, b);
        }

        <C> Pair<A, C> withSecond(Function<? super B, ? extends C> f) {
            return of(first, f.apply(second));
        }
    }

    static class Account implements AutoCloseable {
        private static int opened;
        private final String owner;
        private long cents;
        private final List<String> log;

        Account(String owner, long cents, List<String> log) {
            this.owner = owner;
            this.cents = cents;
            this.log = log;
            opened++;
        }

        synchronized void move(Account to, long amount) throws Shortage {
            if (amount > cents) {
                throw new Shortage(owner, amount - cents);
            }
            cents -= amount;
            synchronized (to) {
                to.cents += amount;
            }
        }

        @Override
        public void close() {
            log.add(owner + ":" + cents);
            if (cents < 0) {
                throw new IllegalStateException("overdrawn " + owner);
            }
        }
    }

    static class Shortage extends Exception {
        private static final long serialVersionUID = 4L;

        Shortage(String who, long by) {
            super(who + " lacks " + by);
        }
    }

    @Note("prints tables")
    @Note(value = "slowly", weight = 3, about = {Item.class, int[].class})
    static void warehouse() throws Exception {
        List<Item> items = """
                Hammer, tools, 12.50, 40
                Saw, tools, 19.99, 12
                Robot; toys; 49.95; 7
                Kite, toys, 9.00, 25
                Atlas, books, 60, 3
                Novel, books, 8.75, 120
                Rice, food, 2.25, 300
                Tea, food, 4.80, 90
                """.lines().map(Item::parse).toList();
        Map<Category, List<String>> names = items.stream().collect(Collectors.groupingBy(Item::category, () -> new EnumMap<>(Category.class), Collectors.mapping(Item::name, Collectors.toList())));
        System.out.println(names);
        items.stream().collect(Collectors.groupingBy(Item::category, TreeMap::new, Collectors.summarizingDouble(Item::gross)))
            .forEach((k, s) -> System.out.printf(Locale.ROOT, "%-6s n=%d sum=%8.3f max=%.2f%n", k, s.getCount(), s.getSum(), s.getMax()));
        Map<Boolean, Long> parts = items.stream().collect(Collectors.partitioningBy(i -> i.stock() < 20, Collectors.counting()));
        System.out.println(parts + " " + items.stream().sorted(Comparator.comparing(Item::category).thenComparing(Item::price, Comparator.reverseOrder())).map(Item::name).collect(Collectors.joining("|", "<", ">")));
        Predicate<Item> cheap = i -> i.price() < 10, plenty = i -> i.stock() > 50;
        System.out.println(items.stream().filter(cheap.and(plenty.negate()).or(i -> i.name().startsWith("S"))).map(Item::name).toList() + " " + items.get(1).cheaperThan(items.get(2)));
        Collector<Item, ?, Pair<Double, Integer>> both = Collectors.teeing(Collectors.summingDouble(i -> i.price() * i.stock()), Collectors.summingInt(Item::stock), Pair::of);
        System.out.println(items.stream().collect(both).withSecond(n -> n / 2.0));
        System.out.println(IntStream.rangeClosed(1, 5).mapToObj(i -> IntStream.range(0, i).mapToObj(j -> i + "x" + j)).flatMap(s -> s).filter(s -> s.hashCode() % 3 == 0).collect(Collectors.toList()));
        System.out.println(LongStream.iterate(1, n -> n < 5_000_000_000L, n -> n * 3).boxed().collect(Collectors.reducing(0L, (x, y) -> x ^ y)));
        System.out.println(items.stream().map(Item::stock).reduce(1, (x, y) -> (x * 31 + y) % 10007) + " " + Stream.of("c", "a", "b").sorted(Collections.reverseOrder()).toList() + " " + items.parallelStream().mapToInt(Item::stock).sum());

        List<String> log = new ArrayList<>();
        for (long amount : new long[] {500, 5_000, -2_000}) {
            try (Account a = new Account("ann", 1_000, log); Account b = new Account("bob", 1_500 - amount / 4 * 3, log)) {
                a.move(b, amount);
                b.move(a, 1_200);
                log.add("moved");
            } catch (Shortage | IllegalStateException e) {
                log.add(e.getMessage() + "+" + e.getSuppressed().length);
            } finally {
                log.add("#" + Account.opened);
            }
        }
        System.out.println(log);
        Note[] notes = Big.class.getDeclaredMethod("warehouse").getAnnotationsByType(Note.class);
        System.out.println(Arrays.stream(notes).map(n -> n.value() + n.weight() + Arrays.toString(n.about())).collect(Collectors.joining(", ")));
    }

    // ------------------------------------------------------------------ graphs

    static final class Graph<N extends Comparable<N>> {
        private final Map<N, Map<N, Integer>> edges = new TreeMap<>();

        Graph<N> edge(N a, N b, int weight) {
            edges.computeIfAbsent(a, k -> new TreeMap<>()).merge(b, weight, Math::min);
            edges.computeIfAbsent(b, k -> new TreeMap<>());
            return this;
        }

        Map<N, Integer> distances(N from) {
            record Step<M>(M node, int cost) {
            }
            Map<N, Integer> best = new LinkedHashMap<>();
            PriorityQueue<Step<N>> queue = new PriorityQueue<>(Comparator.<Step<N>>comparingInt(Step::cost).thenComparing(Step::node));
            queue.add(new Step<>(from, 0));
            while (!queue.isEmpty()) {
                Step<N> s = queue.remove();
                if (best.putIfAbsent(s.node(), s.cost()) != null) {
                    continue;
                }
                edges.get(s.node()).forEach((to, w) -> queue.add(new Step<>(to, s.cost() + w)));
            }
            return best;
        }

        Optional<List<N>> order() {
            enum Mark {OPEN, DONE}
            Map<N, Mark> marks = new HashMap<>();
            List<N> out = new ArrayList<>();
            interface Visit<M> {
                boolean to(M n, Visit<M> self);
            }
            Visit<N> visit = (n, self) -> {
                Mark m = marks.putIfAbsent(n, Mark.OPEN);
                if (m != null) {
                    return m == Mark.DONE;
                }
                for (N next : edges.get(n).keySet()) {
                    if (!self.to(next, self)) {
                        return false;
                    }
                }
                marks.put(n, Mark.DONE);
                return out.add(n);
            };
            for (N n : edges.keySet()) {
                if (!visit.to(n, visit)) {
                    return Optional.empty();
                }
            }
            Collections.reverse(out);
            return Optional.of(out);
        }
    }

    static void graphs() {
        Graph<String> g = new Graph<String>().edge("a", "b", 7).edge("a", "c", 9).edge("a", "f", 14).edge("b", "c", 10).edge("b", "d", 15).edge("c", "d", 11).edge("c", "f", 2).edge("d", "e", 6).edge("f", "e", 9);
        System.out.println(g.distances("a") + " " + g.order().orElse(List.of()));
        System.out.println(g.edge("e", "b", 1).order().isPresent() + " " + g.distances("e"));
        Graph<Integer> grid = new Graph<>();
        final int n = 9;
        int[][] cost = new int[n][n];
        for (int y = 0; y < n; y++) {
            for (int x = 0; x < n; x++) {
                cost[y][x] = (x * 7 + y * 13 ^ x * y) % 9 + 1;
                if (x > 0) {
                    grid.edge(y * n + x - 1, y * n + x, cost[y][x]).edge(y * n + x, y * n + x - 1, cost[y][x - 1]);
                }
                if (y > 0) {
                    grid.edge((y - 1) * n + x, y * n + x, cost[y][x]);
                }
            }
        }
        Map<Integer, Integer> d = grid.distances(0);
        System.out.println(d.get(n * n - 1) + " " + d.size() + " " + d.values().stream().mapToInt(Integer::intValue).sum());
        outer:
        for (int i = 2, primes = 0; ; i++) {
            for (int j = 2; j * j <= i; j++) {
                if (i % j == 0) {
                    continue outer;
                }
            }
            if (++primes == 300) {
                System.out.println("prime " + i);
                break;
            }
        }
    }

    // ------------------------------------------------------------------ odds and ends of the language

    static class Outer {
        protected int x = 1;
        static StringBuilder trace = new StringBuilder();

        class Middle {
            int x = Outer.this.x + 1;

            class Inner extends Outer {
                int x = Middle.this.x + 1 + super.x;

                IntFunction<Supplier<String>> deep() {
                    return k -> () -> k + ":" + x + Middle.this.x + Outer.this.x + this.x + ((Outer) this).x;
                }
            }
        }

        Object clone(int depth) {
            trace.append('o').append(depth);
            return this;
        }
    }

    static class Derived extends Outer {
        {
            trace.append("init;");
            x += 40;
        }

        Derived() {
            super();
            trace.append("ctor;");
        }

        @Override
        Derived clone(int depth) {
            Supplier<Object> up = () -> super.clone(depth + 1);
            UnaryOperator<Object> same = o -> o;
            return (Derived) same.apply(up.get());
        }
    }

    static String classify(Object o) {
        if (!(o instanceof Number n)) {
            return o instanceof CharSequence s && s.length() > 3 ? "long text" : String.valueOf(o);
        }
        return n.intValue() > 100 ? "big" : "small " + n;
    }

    static int season(String month) {
        int r = switch (month) {
            case "dec", "jan", "feb":
                yield 0;
            case "mar":
            case "apr":
            case "may": {
                int q = month.length();
                yield q - 2;
            }
            case "Aa", "BB":
                yield 99;
            default:
                if (month.isBlank()) {
                    throw new IllegalArgumentException("blank");
                }
                yield month.compareTo("s") < 0 ? 2 : 3;
        };
        return r << 1;
    }

    static int finals(int n) {
        int r = 0;
        for (int i = 0; i < n; i++) {
            try {
                if (i % 3 == 0) {
                    continue;
                }
                if (i == 7) {
                    break;
                }
                r += 10 / (i - 4);
            } catch (ArithmeticException e) {
                r += 1000;
            } finally {
                r++;
            }
        }
        return r;
    }

    static <T extends Comparable<T> & java.io.Serializable> T middle(T a, T b, T c) {
        return a.compareTo(b) < 0 ? b.compareTo(c) < 0 ? b : a.compareTo(c) < 0 ? c : a : a.compareTo(c) < 0 ? a : b.compareTo(c) < 0 ? c : b;
    }

    static long sum(long first, int... rest) {
        for (int r : rest) {
            first += r;
        }
        return first;
    }

    static String join(Object first, Object... rest) {
        return first + Arrays.toString(rest);
    }

    static void odds() {
        Outer.Middle.Inner inner = new Outer().new Middle().new Inner();
        System.out.println(inner.deep().apply(5).get() + " " + new Derived().clone(1).x + " " + Outer.trace);
        System.out.println(Stream.of(1, 250L, 2.5, "four", "abc", 'c', new StringBuilder("built")).map(Big::classify).collect(Collectors.joining(", ")));
        System.out.println(Stream.of("jan", "apr", "jul", "sep", "Aa", "BB").mapToInt(Big::season).boxed().toList() + " " + finals(12));
        System.out.println(middle("pear", "apple", "fig") + middle(3, 1, 2) + " " + sum(1, new int[] {2, 3}) + join("a") + join("b", (Object[]) new String[] {"c"}) + sum(1L));
        byte b = (byte) 200;
        short s = (short) (b << 4);
        char c = 'a';
        c += 2;
        c++;
        int i = b >>> 28 ^ s >> 2 | ~c;
        long l = 1L << 40 | i & 0xffff_ffffL;
        float f = l;
        double d = f / 3;
        i += 3.7;
        l -= d;
        b >>>= 1;
        s *= 1.5;
        System.out.println(b + " " + s + " " + c + " " + i + " " + l + " " + f + " " + d + " " + (char) (c + 1) + (int) Float.NaN + (long) 1e30 + (byte) 300.5);
        Integer boxed = 127, again = 127;
        boxed++;
        Long wide = boxed > 127 ? boxed + 1L : null;
        Object mixed = boxed == 128 ? 1 : "no";
        System.out.println((again == 127) + " " + boxed + " " + wide + " " + mixed + " " + (true ? 1 : 2.0) + (false ? 'x' : 98) + 0x1.8p3 + 0b1011 + 017 + 1e-5f);
        int[][][] cube = new int[3][4][];
        cube[1][2] = new int[] {1, 2, 3};
        cube[1][2][cube[1][2].length - 1] <<= cube[1][2][0]++ + 1;
        int k = 0;
        int[] order = {k++, k++ + k, k += 5, --k * k};
        System.out.println(Arrays.deepToString(cube[1]) + Arrays.toString(order) + cube.getClass().getName());
        Supplier<Supplier<String>> nested = () -> {
            String local = "captured" + order.length;
            return local::toUpperCase;
        };
        Function<Integer, int[][]> make = int[][]::new;
        BiFunction<String, Integer, Token> token = (t, n) -> new Token(Kind.NAME, t, n);
        ToIntFunction<String> length = String::length;
        System.out.println(nested.get().get() + make.apply(3).length + token.andThen(Token::toString).apply("t", 9) + length.applyAsInt("four"));
        Runnable[] runs = new Runnable[3];
        StringBuilder out = new StringBuilder();
        for (int r = 0; r < runs.length; r++) {
            int now = r;
            runs[r] = (Runnable & java.io.Serializable) () -> out.append(now).append(this_is(now));
        }
        for (Runnable r : runs) {
            r.run();
        }
        System.out.println(out + " " + EnumSet.range(Kind.PLUS, Kind.SLASH) + " " + new TreeSet<>(Set.of(3, 1, 2)).descendingSet() + " " + new HashSet<>(List.of("x", "y")).contains("y"));
        var text = "tab\there \u00e9\u4e2d \"quoted\" \\ end" + '\'' + (char) 0x1F600 + "\0".length();
        System.out.println(text.chars().filter(x -> x > 127).mapToObj(Integer::toHexString).toList() + " " + text.length() + " " + text.hashCode());
        String block = """
            one \
            line
              indented "two"\tand
            three\s
            """;
        System.out.print(block.replace(' ', '.'));
        assert text.isEmpty() : "assertions are off";
        do {
            k -= 2;
            if (k < -3) {
                break;
            }
        } while (k != 0 || !text.isEmpty());
        try {
            Object[] strings = new String[1];
            strings[0] = k > 100 ? "s" : (Object) k;
        } catch (ArrayStoreException | ClassCastException e) {
            System.out.println(e.getMessage() + " " + k);
        }
        try {
            Object o = List.of(1);
            @SuppressWarnings("unchecked") List<String> wrong = (List<String>) o;
            System.out.println(wrong.get(0).length());
        } catch (ClassCastException e) {
            System.out.println("polluted");
        }
    }

    private static String this_is(int n) {
        return n == 0 ? "zero" : n > 1 ? "many" : "one";
    }

    // ------------------------------------------------------------------ main

    public static void main(String[] args) throws Exception {
        Map<String, Section> sections = new LinkedHashMap<>();
        sections.put("language", Big::language);
        sections.put("containers", Big::containers);
        sections.put("warehouse", Big::warehouse);
        sections.put("graphs", Big::graphs);
        sections.put("odds", Big::odds);
        for (var e : sections.entrySet()) {
            if (args.length == 0 || List.of(args).contains(e.getKey())) {
                System.out.println("== " + e.getKey());
                e.getValue().run();
            }
        }
    }

    @FunctionalInterface
    interface Section {
        void run() throws Exception;
    }
}
