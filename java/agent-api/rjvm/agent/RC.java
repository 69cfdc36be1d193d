package rjvm.agent;

/** The root context of a thread. It stands for no method; its callees are the methods the thread began with. */
public final class RC extends IC {
    RC() {
    }
}
