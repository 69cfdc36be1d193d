import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.nio.file.*;
import java.util.*;

/** Debugs Shop through JDI and prints what it finds. Arguments: connector (attach or listen), port, scenario, folder of new classes. */
public class JdiClient {
    static VirtualMachine vm;
    static EventRequestManager requests;
    static EventSet stopped;

    public static void main(String[] args) throws Exception {
        connect(args[0], args[1]);
        requests = vm.eventRequestManager();
        next(VMStartEvent.class);
        String scenario = args[2];
        switch (scenario) {
            case "lines": lines(); break;
            case "watch": watch(); break;
            case "exits": exits(); break;
            case "exceptions": exceptions(); break;
            case "throws": thrown(); break;
            case "classes": classes(); break;
            case "calls": calls(); break;
            case "frames": frames(); break;
            case "counts": counts(); break;
            case "monitors": monitors(); break;
            case "steps": steps(); break;
            case "redefine": redefine(args[3]); break;
            case "errors": errors(); break;
            case "threads": threads(); break;
            case "early": early(); break;
            case "interrupted": interrupted(); break;
            case "idle": idle(); break;
            case "last": last(); break;
            case "values": values(); break;
            case "recursion": recursion(); break;
            case "natives": natives(); break;
            case "modules": modules(); break;
            case "strata": strata(); break;
            case "rewatched": rewatched(args[3]); break;
            case "held": held(); break;
            default: throw new IllegalArgumentException(scenario);
        }
        finish();
    }

    static void connect(String kind, String port) throws Exception {
        String name = kind.equals("attach") ? "com.sun.jdi.SocketAttach" : "com.sun.jdi.SocketListen";
        VirtualMachineManager all = Bootstrap.virtualMachineManager();
        for (Connector c : all.allConnectors()) {
            if (!c.name().equals(name)) continue;
            Map<String, Connector.Argument> arguments = c.defaultArguments();
            if (c instanceof AttachingConnector) {
                arguments.get("port").setValue(port);
                vm = ((AttachingConnector) c).attach(arguments);
            } else {
                ListeningConnector l = (ListeningConnector) c;
                arguments.get("port").setValue("0");
                arguments.get("localAddress").setValue("localhost");
                String address = l.startListening(arguments);
                System.err.println("address " + address.substring(address.lastIndexOf(':') + 1));
                System.err.flush();
                vm = l.accept(arguments);
                l.stopListening(arguments);
            }
        }
    }

    static <T extends Event> T next(Class<T> kind) throws Exception {
        while (true) {
            EventSet set = vm.eventQueue().remove(20000);
            if (set == null) throw new RuntimeException("no " + kind.getSimpleName());
            for (Event e : set) {
                if (kind.isInstance(e)) {
                    stopped = set;
                    return kind.cast(e);
                }
            }
            set.resume();
        }
    }

    static void go() {
        stopped.resume();
    }

    static void say(String text) {
        System.out.println(text);
    }

    static String at(Location l) {
        return l.declaringType().name() + "." + l.method().name() + ":" + l.lineNumber() + "@" + l.codeIndex();
    }

    static String show(Value v) {
        if (v instanceof StringReference) return "\"" + ((StringReference) v).value() + "\"";
        if (v instanceof ArrayReference) {
            StringBuilder b = new StringBuilder("[");
            for (Value e : ((ArrayReference) v).getValues()) b.append(show(e)).append(' ');
            return b + "]";
        }
        if (v instanceof ObjectReference) return "a " + ((ObjectReference) v).referenceType().name();
        return String.valueOf(v);
    }

    static ReferenceType shop() throws Exception {
        List<ReferenceType> found = vm.classesByName("Shop");
        if (!found.isEmpty()) return found.get(0);
        ClassPrepareRequest r = requests.createClassPrepareRequest();
        r.addClassFilter("Shop");
        r.enable();
        go();
        ClassPrepareEvent e = next(ClassPrepareEvent.class);
        requests.deleteEventRequest(r);
        return e.referenceType();
    }

    static BreakpointEvent stop(String method) throws Exception {
        ReferenceType t = shop();
        Location l = t.methodsByName(method).get(0).location();
        BreakpointRequest r = requests.createBreakpointRequest(l);
        r.enable();
        go();
        BreakpointEvent e = next(BreakpointEvent.class);
        requests.deleteEventRequest(r);
        return e;
    }

    static void finish() throws Exception {
        requests.deleteAllBreakpoints();
        VMDeathRequest r = requests.createVMDeathRequest();
        r.enable();
        go();
        while (true) {
            EventSet set = vm.eventQueue().remove(20000);
            if (set == null) throw new RuntimeException("no end");
            for (Event e : set) {
                if (e instanceof VMDeathEvent) say("death " + set.suspendPolicy() + " " + (e.request() != null));
                if (e instanceof VMDisconnectEvent) {
                    say("disconnected");
                    return;
                }
            }
            set.resume();
        }
    }

    static void lines() throws Exception {
        ReferenceType t = shop();
        say(t.signature() + " " + t.sourceName() + " " + t.modifiers() + " " + t.isPrepared() + " " + t.majorVersion());
        for (Method m : t.methods()) {
            say(m + " " + m.modifiers() + " " + m.genericSignature() + " " + m.isObsolete() + " " + m.bytecodes().length);
            for (Location l : m.allLineLocations()) say("  " + l.lineNumber() + "@" + l.codeIndex());
            for (LocalVariable v : m.variables())
                say("  " + v.name() + " " + v.signature() + " " + v.isArgument() + " " + v.genericSignature());
        }
        for (Field f : t.fields()) say(f + " " + (f.modifiers() & 0xf7ff) + " " + f.genericSignature());
        say(t.locationsOfLine(24).toString());
        BreakpointEvent e = stop("sell");
        StackFrame f = e.thread().frame(0);
        for (LocalVariable v : f.visibleVariables()) say("visible " + v.name() + " " + show(f.getValue(v)));
        say("this " + show(f.thisObject()));
        try {
            f.getValue(f.location().method().variablesByName("left").get(0));
        } catch (IllegalArgumentException x) {
            say("not visible");
        }
    }

    static void watch() throws Exception {
        ReferenceType t = shop();
        for (String name : new String[] {"stock", "sold", "price"}) {
            Field f = t.fieldByName(name);
            ModificationWatchpointRequest m = requests.createModificationWatchpointRequest(f);
            m.enable();
            AccessWatchpointRequest a = requests.createAccessWatchpointRequest(f);
            a.enable();
        }
        go();
        for (int i = 0; i < 14; i++) {
            WatchpointEvent e = next(WatchpointEvent.class);
            String text = at(e.location()) + " " + e.field().name() + " " + show(e.valueCurrent()) + " of " + show(e.object());
            if (e instanceof ModificationWatchpointEvent) text += " to be " + show(((ModificationWatchpointEvent) e).valueToBe());
            say(text);
            if (i < 13) go();
        }
        requests.deleteEventRequests(new ArrayList<>(requests.modificationWatchpointRequests()));
        requests.deleteEventRequests(new ArrayList<>(requests.accessWatchpointRequests()));
    }

    static void exits() throws Exception {
        BreakpointEvent first = stop("main");
        MethodExitRequest x = requests.createMethodExitRequest();
        x.addClassFilter("Shop*");
        x.addThreadFilter(first.thread());
        x.enable();
        MethodEntryRequest n = requests.createMethodEntryRequest();
        n.addClassFilter("Shop*");
        n.addThreadFilter(first.thread());
        n.enable();
        go();
        for (int i = 0; i < 24; i++) {
            LocatableEvent e = next(LocatableEvent.class);
            if (e instanceof MethodExitEvent) say("exit " + at(e.location()) + " " + show(((MethodExitEvent) e).returnValue()));
            else say("entry " + at(e.location()) + " frames " + e.thread().frameCount());
            if (i < 23) go();
        }
        requests.deleteEventRequest(x);
        requests.deleteEventRequest(n);
    }

    /** Returns early, which is an exit of the method, with the new result. */
    static void early() throws Exception {
        ThreadReference t = stop("sell").thread();
        MethodExitRequest x = requests.createMethodExitRequest();
        x.addClassFilter("Shop");
        x.addThreadFilter(t);
        x.enable();
        t.forceEarlyReturn(vm.mirrorOf(77));
        go();
        MethodExitEvent e = next(MethodExitEvent.class);
        say("exit " + at(e.location()) + " " + show(e.returnValue()) + " " + e.thread().frameCount());
        x.disable();
        say("then " + at(stop("twice").thread().frame(1).location()));
    }

    static void exceptions() throws Exception {
        stop("fail");
        ExceptionRequest r = requests.createExceptionRequest(null, true, true);
        r.enable();
        go();
        for (int i = 0; i < 2; i++) {
            ExceptionEvent e = next(ExceptionEvent.class);
            say(show(e.exception()) + " at " + at(e.location()) + " caught " + at(e.catchLocation()) + " frames " + e.thread().frameCount());
            ObjectReference x = e.exception();
            ReferenceType t = x.referenceType();
            Method m = ((ClassType) t).concreteMethodByName("toString", "()Ljava/lang/String;");
            say(show(x.invokeMethod(e.thread(), m, new ArrayList<>(), ObjectReference.INVOKE_SINGLE_THREADED)));
            say("frames " + e.thread().frameCount() + " " + at(e.thread().frame(0).location()));
            if (i < 1) go();
        }
        requests.deleteEventRequest(r);
    }

    static void thrown() throws Exception {
        BreakpointEvent e = stop("fail");
        ExceptionRequest r = requests.createExceptionRequest(null, true, false);
        r.addClassFilter("Shop");
        r.addThreadFilter(e.thread());
        r.enable();
        go();
        for (int i = 0; i < 2; i++) {
            ExceptionEvent x = next(ExceptionEvent.class);
            say(show(x.exception()) + " at " + at(x.location()) + " caught " + at(x.catchLocation()));
            if (i < 1) go();
        }
        requests.deleteEventRequest(r);
        BreakpointRequest b = requests.createBreakpointRequest(shop().locationsOfLine(94).get(0));
        b.addCountFilter(3);
        b.enable();
        go();
        BreakpointEvent third = next(BreakpointEvent.class);
        say("third " + show(third.thread().frame(0).getValue(third.thread().frame(0).visibleVariableByName("i"))));
    }

    static void classes() throws Exception {
        shop();
        ClassPrepareRequest r = requests.createClassPrepareRequest();
        r.addClassFilter("Shop*");
        r.addClassExclusionFilter("*Lambda*");
        r.enable();
        ClassPrepareRequest s = requests.createClassPrepareRequest();
        s.addSourceNameFilter("Shop.java");
        s.addClassFilter("Version");
        if (vm.canUseSourceNameFilters()) s.enable();
        else {
            s = requests.createClassPrepareRequest();
            s.addClassFilter("Version");
            s.enable();
        }
        go();
        for (int i = 0; i < 3; i++) {
            ClassPrepareEvent e = next(ClassPrepareEvent.class);
            say("prepared " + e.referenceType().name() + " in " + e.thread().name() + " " + e.referenceType().isInitialized());
            if (i < 2) go();
        }
        ReferenceType t = shop();
        List<String> nested = new ArrayList<>();
        for (ReferenceType n : t.nestedTypes()) if (!n.name().contains("Lambda")) nested.add(n.name());
        Collections.sort(nested);
        say(nested.toString());
        ReferenceType loud = vm.classesByName("Shop$Loud").get(0);
        say(((ClassType) loud).interfaces().toString() + " " + ((ClassType) loud).superclass() + " " + ((ClassType) loud).modifiers());
        say(((InterfaceType) vm.classesByName("Shop$Greeter").get(0)).implementors().toString());
        say(t.classLoader().referenceType().name() + " " + t.module().name() + " " + t.constantPoolCount());
        say("" + t.classLoader().visibleClasses().contains(t));
    }

    static Value call(ThreadReference thread, ObjectReference o, String name, Value... args) throws Exception {
        Method m = o.referenceType().methodsByName(name).get(0);
        return o.invokeMethod(thread, m, Arrays.asList(args), ObjectReference.INVOKE_SINGLE_THREADED);
    }

    static void calls() throws Exception {
        BreakpointEvent e = stop("sell");
        ThreadReference t = e.thread();
        ObjectReference shop = t.frame(0).thisObject();
        ClassType type = (ClassType) shop.referenceType();
        say(show(call(t, shop, "sell", vm.mirrorOf(3), vm.mirrorOf("jdi"))));
        say(show(shop.getValue(type.fieldByName("stock"))));
        say(show(type.invokeMethod(t, type.methodsByName("fact").get(0), Arrays.asList(vm.mirrorOf(6)), 0)));
        ObjectReference made = type.newInstance(t, type.methodsByName("<init>").get(0), Arrays.asList(vm.mirrorOf("new")), 0);
        say(show(made.getValue(type.fieldByName("name"))) + show(made.getValue(type.fieldByName("sizes"))));
        try {
            ObjectReference text = vm.mirrorOf("12x");
            ClassType integer = (ClassType) vm.classesByName("java.lang.Integer").get(0);
            Method parse = integer.concreteMethodByName("parseInt", "(Ljava/lang/String;)I");
            integer.invokeMethod(t, parse, Arrays.asList(text), 0);
        } catch (InvocationException x) {
            say("threw " + show(x.exception()));
            ObjectReference o = x.exception();
            say(show(call(t, o, "getMessage")));
        }
        try {
            call(t, shop, "sell", vm.mirrorOf(3));
        } catch (IllegalArgumentException x) {
            say("too few");
        }
        Method hash = ((ClassType) type.superclass()).methodsByName("toString").get(0);
        String text = show(shop.invokeMethod(t, hash, new ArrayList<>(), ObjectReference.INVOKE_NONVIRTUAL));
        say("" + text.startsWith("\"Shop@"));
        say(t.frameCount() + " " + at(t.frame(0).location()));
        // a breakpoint below a call
        Location fact = type.methodsByName("fact").get(0).location();
        BreakpointRequest r = requests.createBreakpointRequest(fact);
        r.enable();
        Thread caller = new Thread(() -> {
            try {
                say("result " + show(type.invokeMethod(t, type.methodsByName("fact").get(0), Arrays.asList(vm.mirrorOf(1)), 0)));
            } catch (Exception x) {
                say("failed " + x);
            }
        });
        EventSet before = stopped;
        caller.start();
        BreakpointEvent inner = next(BreakpointEvent.class);
        say("inner " + at(inner.location()) + " " + inner.thread().frameCount());
        r.disable();
        go();
        caller.join();
        stopped = before;
        say(t.frameCount() + " " + at(t.frame(0).location()));
    }

    static void frames() throws Exception {
        stop("twice");
        BreakpointEvent e = stop("sell");
        ThreadReference t = e.thread();
        say(t.frames().size() + " " + at(t.frame(0).location()) + " " + at(t.frame(1).location()));
        StackFrame f = t.frame(0);
        f.setValue(f.visibleVariableByName("count"), vm.mirrorOf(5));
        f.setValue(f.visibleVariableByName("to"), vm.mirrorOf("set"));
        say(show(f.getValue(f.visibleVariableByName("count"))) + show(f.getValue(f.visibleVariableByName("to"))));
        t.popFrames(t.frame(0));
        say(t.frameCount() + " " + at(t.frame(0).location()));
        StepRequest s = requests.createStepRequest(t, StepRequest.STEP_LINE, StepRequest.STEP_INTO);
        s.addCountFilter(1);
        s.enable();
        go();
        StepEvent st = next(StepEvent.class);
        requests.deleteEventRequest(s);
        f = t.frame(0);
        say(at(st.location()) + " " + show(f.getValue(f.visibleVariableByName("count"))));
        t.forceEarlyReturn(vm.mirrorOf(40));
        s = requests.createStepRequest(t, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
        s.addCountFilter(1);
        s.enable();
        go();
        st = next(StepEvent.class);
        say(at(st.location()) + " " + t.frameCount());
        requests.deleteEventRequest(s);
        s = requests.createStepRequest(t, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
        s.enable();
        go();
        for (int i = 0; i < 3; i++) {
            st = next(StepEvent.class);
            f = t.frame(0);
            StringBuilder b = new StringBuilder();
            for (LocalVariable v : f.visibleVariables()) b.append(" ").append(v.name()).append("=").append(show(f.getValue(v)));
            say(at(st.location()) + b);
            if (i < 2) go();
        }
        requests.deleteEventRequest(s);
        try {
            t.popFrames(t.frame(t.frameCount() - 1));
        } catch (Exception x) {
            say("cannot pop " + x.getClass().getSimpleName());
        }
        try {
            t.forceEarlyReturn(vm.mirrorOf("x"));
        } catch (Exception x) {
            say("cannot return " + x.getClass().getSimpleName());
        }
    }

    static void counts() throws Exception {
        BreakpointEvent e = stop("fail");
        ReferenceType t = shop();
        ReferenceType none = vm.classesByName("java.lang.Object").get(0);
        say("" + vm.instanceCounts(Arrays.asList(t))[0] + " " + (vm.instanceCounts(Arrays.asList(none))[0] > 0));
        List<ObjectReference> all = t.instances(0);
        say(all.size() + " " + show(all.get(0).getValue(t.fieldByName("name"))));
        ObjectReference shop = all.get(0);
        ObjectReference log = (ObjectReference) shop.getValue(t.fieldByName("log"));
        List<String> referring = new ArrayList<>();
        for (ObjectReference o : log.referringObjects(0)) referring.add(o.referenceType().name());
        Collections.sort(referring);
        say(referring.toString());
        ObjectReference made = vm.mirrorOf("kept");
        made.disableCollection();
        say("collected " + made.isCollected() + " " + show(made));
        made.enableCollection();
        ArrayReference array = ((ArrayType) ((ArrayReference) shop.getValue(t.fieldByName("sizes"))).referenceType()).newInstance(4);
        array.setValue(2, vm.mirrorOf(9));
        say(show(array) + array.length());
        shop.setValue(t.fieldByName("sizes"), array);
        say(show(shop.getValue(t.fieldByName("sizes"))));
        say(show(((ArrayReference) shop.getValue(t.fieldByName("sizes"))).getValue(2)));
        try {
            array.getValue(4);
        } catch (IndexOutOfBoundsException x) {
            say("out of bounds");
        }
        say(e.thread().name());
    }

    static void monitors() throws Exception {
        BreakpointEvent e = stop("locked");
        ThreadReference t = e.thread();
        ObjectReference shop = t.frame(0).thisObject();
        say("owned " + t.ownedMonitors().size() + " " + (t.ownedMonitors().get(0).equals(shop)) + " by " + shop.owningThread().name() + " "
            + shop.entryCount() + " waiting " + shop.waitingThreads());
        for (MonitorInfo m : t.ownedMonitorsAndFrames()) say(m.monitor().referenceType().name() + " depth " + m.stackDepth());
        say("contended " + t.currentContendedMonitor());
        say(t.status() + " " + t.isSuspended() + " " + t.suspendCount() + " " + t.isAtBreakpoint());
    }

    static void step(ThreadReference t, int size, int depth, int n) throws Exception {
        StepRequest s = requests.createStepRequest(t, size, depth);
        s.addClassExclusionFilter("java.*");
        s.addClassExclusionFilter("jdk.*");
        s.addClassExclusionFilter("sun.*");
        s.enable();
        for (int i = 0; i < n; i++) {
            go();
            StepEvent e = next(StepEvent.class);
            say(at(e.location()) + " " + t.frameCount());
        }
        requests.deleteEventRequest(s);
    }

    static void steps() throws Exception {
        BreakpointEvent e = stop("main");
        ThreadReference t = e.thread();
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_INTO, 16);
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_OUT, 1);
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_OVER, 4);
        step(t, StepRequest.STEP_MIN, StepRequest.STEP_INTO, 12);
        step(t, StepRequest.STEP_MIN, StepRequest.STEP_OVER, 6);
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_OVER, 9);
    }

    /** Where a call returns to the bytecode that its callee has returned from, no step ends. */
    static void recursion() throws Exception {
        ThreadReference t = stop("sink").thread();
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_INTO, 5);
        t = stop("sink").thread();
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_INTO, 3);
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_OVER, 1);
        t = stop("sink").thread();
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_INTO, 2);
        step(t, StepRequest.STEP_MIN, StepRequest.STEP_INTO, 4);
        step(t, StepRequest.STEP_LINE, StepRequest.STEP_OUT, 1);
    }

    /** Exits of native methods of one object. */
    static void natives() throws Exception {
        ThreadReference t = stop("natives").thread();
        StackFrame f = t.frame(0);
        MethodExitRequest one = requests.createMethodExitRequest();
        one.addThreadFilter(t);
        one.addInstanceFilter((ObjectReference) f.getValue(f.visibleVariableByName("name")));
        one.enable();
        MethodExitRequest all = requests.createMethodExitRequest();
        all.addThreadFilter(t);
        all.addClassFilter("Shop");
        all.enable();
        String name;
        do {
            go();
            MethodExitEvent e = next(MethodExitEvent.class);
            name = e.method().name();
            say("exit " + name + " " + show(e.returnValue()));
        } while (!name.equals("natives"));
        requests.deleteEventRequest(one);
        requests.deleteEventRequest(all);
    }

    static void modules() throws Exception {
        stop("sink");
        List<String> all = new ArrayList<>();
        for (ModuleReference m : vm.allModules()) {
            ClassLoaderReference loader = m.classLoader();
            // rjvm shows an object of the class library, which HotSpot does not know as a loader
            if (loader != null && loader.referenceType().name().endsWith("BootClassLoader")) continue;
            if (m.name() == null) all.add("unnamed of " + (loader == null ? "none" : loader.referenceType().name()));
        }
        Collections.sort(all);
        say(all.toString());
    }

    /** Steps by the lines of a stratum: the one that the class names, and Java. */
    static void strata() throws Exception {
        shop();
        say("" + vm.getDefaultStratum());
        ClassPrepareRequest r = requests.createClassPrepareRequest();
        r.addClassFilter("Mapped");
        r.enable();
        go();
        ReferenceType t = next(ClassPrepareEvent.class).referenceType();
        say(t.defaultStratum() + " " + t.availableStrata());
        BreakpointRequest b = requests.createBreakpointRequest(t.methodsByName("run").get(0).location());
        b.enable();
        go();
        step(next(BreakpointEvent.class).thread(), StepRequest.STEP_LINE, StepRequest.STEP_OVER, 3);
        vm.setDefaultStratum("Java");
        go();
        step(next(BreakpointEvent.class).thread(), StepRequest.STEP_LINE, StepRequest.STEP_OVER, 3);
        vm.setDefaultStratum(null);
        b.disable();
    }

    /** A field that only the second body of a method names. */
    static void rewatched(String folder) throws Exception {
        AccessWatchpointRequest a = requests.createAccessWatchpointRequest(shop().fieldByName("mark"));
        a.enable();
        stop("version");
        stop("version");
        Map<ReferenceType, byte[]> map = new HashMap<>();
        map.put(vm.classesByName("Version").get(0), Files.readAllBytes(Paths.get(folder, "marks", "Version.class")));
        vm.redefineClasses(map);
        go();
        AccessWatchpointEvent e = next(AccessWatchpointEvent.class);
        say(at(e.location()) + " " + e.field().name() + " " + show(e.valueCurrent()));
        a.disable();
    }

    /** A monitor that a native method has entered. */
    static void held() throws Exception {
        BreakpointEvent e = stop("hold");
        BreakpointRequest r = requests.createBreakpointRequest(shop().methodsByName("locked").get(0).location());
        r.addThreadFilter(e.thread());
        r.enable();
        go();
        ThreadReference t = next(BreakpointEvent.class).thread();
        say("frames " + t.frameCount() + " owned " + t.ownedMonitors().size());
        for (MonitorInfo m : t.ownedMonitorsAndFrames()) say(m.monitor().referenceType().name() + " depth " + m.stackDepth());
        r.disable();
    }

    static void redefine(String folder) throws Exception {
        stop("version");
        stop("version");
        ReferenceType v = vm.classesByName("Version").get(0);
        Map<ReferenceType, byte[]> map = new HashMap<>();
        map.put(v, Files.readAllBytes(Paths.get(folder, "Version.class")));
        say(vm.canRedefineClasses() + " " + vm.canAddMethod() + " " + vm.canUnrestrictedlyRedefineClasses());
        vm.redefineClasses(map);
        map.clear();
        map.put(v, new byte[] {1, 2, 3, 4});
        try {
            vm.redefineClasses(map);
        } catch (Throwable x) {
            say(x.getClass().getSimpleName());
        }
        map.clear();
        map.put(v, Files.readAllBytes(Paths.get(folder, "Shop.class")));
        try {
            vm.redefineClasses(map);
        } catch (Throwable x) {
            say(x.getClass().getSimpleName());
        }
        map.clear();
        map.put(v, Files.readAllBytes(Paths.get(folder, "more", "Version.class")));
        try {
            vm.redefineClasses(map);
        } catch (Throwable x) {
            say(x.getClass().getSimpleName());
        }
    }

    static void errors() throws Exception {
        BreakpointEvent e = stop("sell");
        ThreadReference t = e.thread();
        StackFrame f = t.frame(0);
        ReferenceType shop = f.location().declaringType();
        try {
            f.setValue(f.visibleVariableByName("count"), vm.mirrorOf("no"));
        } catch (Exception x) {
            say(x.getClass().getSimpleName());
        }
        try {
            f.thisObject().setValue(shop.fieldByName("stock"), vm.mirrorOf("no"));
        } catch (Exception x) {
            say(x.getClass().getSimpleName());
        }
        for (int[] range : new int[][] {{0, 99}, {-1, 1}, {99, 1}, {0, 0}}) {
            try {
                say(t.frames(range[0], range[1]).toString());
            } catch (Exception x) {
                say(x.getClass().getSimpleName());
            }
        }
        try {
            vm.classesByName("java.lang.Object").get(0).methodsByName("hashCode").get(0).allLineLocations().size();
        } catch (Exception x) {
            say(x.getClass().getSimpleName());
        }
        say("" + vm.classesByName("java.lang.Object").get(0).methodsByName("hashCode").get(0).isNative());
        try {
            ((ClassType) shop).setValue(shop.fieldByName("TITLE"), vm.mirrorOf("x"));
        } catch (Exception x) {
            say(x.getClass().getSimpleName());
        }
        stop("fact");
        say("further on");
        vm.suspend();
        try {
            f.location();
            f.thisObject();
            say("?");
        } catch (InvalidStackFrameException x) {
            say("old frame");
        }
        vm.resume();
        BreakpointRequest r = requests.createBreakpointRequest(shop.methodsByName("work").get(0).location());
        r.addCountFilter(1);
        r.enable();
    }

    static void threads() throws Exception {
        shop();
        ThreadStartRequest s = requests.createThreadStartRequest();
        s.enable();
        ThreadDeathRequest d = requests.createThreadDeathRequest();
        d.enable();
        go();
        for (int i = 0; i < 2; ) {
            Event e = next(Event.class);
            ThreadReference t = null;
            if (e instanceof ThreadStartEvent) t = ((ThreadStartEvent) e).thread();
            if (e instanceof ThreadDeathEvent) t = ((ThreadDeathEvent) e).thread();
            if (t != null && t.name().equals("worker")) {
                say(e.getClass().getSimpleName() + " " + t.name() + " " + t.threadGroup());
                i++;
            }
            if (i < 2) go();
        }
        s.disable();
        d.disable();
        List<String> groups = new ArrayList<>();
        for (ThreadGroupReference g : vm.topLevelThreadGroups()) {
            groups.add(g.name());
            for (ThreadGroupReference c : g.threadGroups()) groups.add(c.name() + " in " + c.parent().name());
        }
        say(groups.toString());
    }

    /** A thread that has not begun: suspended, and the subject of requests. */
    static void idle() throws Exception {
        Location start = shop().locationsOfLine(97).get(0);
        BreakpointRequest r = requests.createBreakpointRequest(start);
        r.enable();
        go();
        StackFrame f = next(BreakpointEvent.class).thread().frame(0);
        requests.deleteEventRequest(r);
        ThreadReference worker = (ThreadReference) f.getValue(f.visibleVariableByName("worker"));
        say(worker.name() + " " + worker.status() + " " + worker.suspendCount() + " " + frames(worker));
        for (int i = 0; i < 3; i++) worker.suspend();
        worker.resume();
        say(worker.suspendCount() + " " + frames(worker));
        ThreadStartRequest s = requests.createThreadStartRequest();
        s.addThreadFilter(worker);
        s.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        s.enable();
        ThreadDeathRequest d = requests.createThreadDeathRequest();
        d.addThreadFilter(worker);
        d.enable();
        BreakpointRequest b = requests.createBreakpointRequest(shop().methodsByName("locked").get(0).location());
        b.addThreadFilter(worker);
        b.enable();
        try {
            StepRequest step = requests.createStepRequest(worker, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
            step.enable();
        } catch (IllegalThreadStateException x) {
            say("no step");
        }
        vm.resume();
        while (worker.status() < 0) Thread.sleep(5);
        say("begun " + worker.suspendCount());
        resume(worker);
        say(next(ThreadStartEvent.class).thread().name());
        BreakpointEvent e = next(BreakpointEvent.class);
        say(e.thread().name() + " " + at(e.location()) + " " + worker.suspendCount());
        go();
        say(next(ThreadDeathEvent.class).thread().name());
        requests.deleteEventRequest(d);
        BreakpointRequest end = requests.createBreakpointRequest(shop().locationsOfLine(101).get(0));
        end.enable();
        go();
        next(BreakpointEvent.class);
        worker.suspend();
        say(worker.status() + " " + worker.suspendCount() + " " + frames(worker));
    }

    /** A wait that ends by an interruption has not timed out. */
    static void interrupted() throws Exception {
        Location start = shop().locationsOfLine(97).get(0);
        BreakpointRequest r = requests.createBreakpointRequest(start);
        r.enable();
        go();
        ThreadReference main = next(BreakpointEvent.class).thread();
        StackFrame f = main.frame(0);
        ThreadReference worker = (ThreadReference) f.getValue(f.visibleVariableByName("worker"));
        for (int i = 0; i < 4; i++) worker.suspend();
        MonitorWaitRequest w = requests.createMonitorWaitRequest();
        w.addThreadFilter(main);
        w.enable();
        go();
        ObjectReference monitor = next(MonitorWaitEvent.class).monitor();
        say(show(monitor));
        w.disable();
        MonitorWaitedRequest x = requests.createMonitorWaitedRequest();
        x.addThreadFilter(main);
        x.addInstanceFilter(monitor);
        x.enable();
        main.interrupt();
        go();
        say("timed out " + next(MonitorWaitedEvent.class).timedout());
        resume(worker);
    }

    /** Takes back the suspensions that there are now: the thread is suspended again by its next event. */
    static void resume(ThreadReference t) {
        for (int n = t.suspendCount(); n > 0; n--) t.resume();
    }

    static String frames(ThreadReference t) {
        try {
            return "" + t.frameCount();
        } catch (IncompatibleThreadStateException x) {
            return "none";
        }
    }

    /** All threads that begin, to the end of the program. */
    static void last() throws Exception {
        requests.createThreadStartRequest().enable();
        VMDeathRequest end = requests.createVMDeathRequest();
        end.enable();
        go();
        while (true) {
            Event e = next(Event.class);
            if (e instanceof ThreadStartEvent) {
                String name = ((ThreadStartEvent) e).thread().name();
                // a thread of HotSpot itself
                if (!name.equals("Notification Thread")) say(name);
            }
            if (e instanceof VMDeathEvent) return;
            go();
        }
    }

    static void values() throws Exception {
        BreakpointEvent e = stop("sell");
        StackFrame f = e.thread().frame(0);
        ObjectReference shop = f.thisObject();
        ReferenceType t = shop.referenceType();
        for (Field x : t.allFields()) say(x.name() + " " + x.typeName() + " " + show(x.isStatic() ? t.getValue(x) : shop.getValue(x)));
        shop.setValue(t.fieldByName("total"), vm.mirrorOf(1L << 40));
        shop.setValue(t.fieldByName("price"), vm.mirrorOf(-0.5));
        shop.setValue(t.fieldByName("mark"), vm.mirrorOf('\u00e9'));
        shop.setValue(t.fieldByName("open"), vm.mirrorOf(false));
        shop.setValue(t.fieldByName("name"), vm.mirrorOf("gr\u00fc\u00df"));
        ((ClassType) t).setValue(t.fieldByName("sold"), vm.mirrorOf(100));
        for (Field x : t.allFields()) say(x.name() + " " + show(x.isStatic() ? t.getValue(x) : shop.getValue(x)));
        say(show(vm.mirrorOf("a\u0000b\ud83d\ude00")));
        say(t.classObject().reflectedType() + " " + t.classObject().referenceType().name());
    }
}
