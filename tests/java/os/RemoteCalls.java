import java.io.Serializable;
import java.net.InetAddress;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;

/** RMI within one process: a registry, calls with arguments and results, exceptions, callbacks. */
public class RemoteCalls {
    interface Listener extends Remote {
        void tell(String what) throws RemoteException;
    }

    interface Calculator extends Remote {
        int add(int a, int b) throws RemoteException;
        List<String> reversed(List<String> list) throws RemoteException;
        void fail(String message) throws RemoteException, java.io.IOException;
        void call(Listener back) throws RemoteException;
    }

    static class Server implements Calculator {
        public int add(int a, int b) {
            return a + b;
        }
        public List<String> reversed(List<String> list) {
            java.util.Collections.reverse(list);
            return list;
        }
        public void fail(String message) throws java.io.IOException {
            throw new java.io.IOException(message);
        }
        public void call(Listener back) throws RemoteException {
            back.tell("called back");
        }
    }

    record Text(String text) implements Serializable { }

    public static void main(String[] args) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        java.net.ServerSocket free = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        int port = free.getLocalPort();
        free.close();
        Registry registry = LocateRegistry.createRegistry(port);
        Server server = new Server();
        registry.rebind("calculator", UnicastRemoteObject.exportObject(server, 0));
        Registry seen = LocateRegistry.getRegistry("127.0.0.1", port);
        System.out.println(List.of(seen.list()));
        Calculator c = (Calculator) seen.lookup("calculator");
        System.out.println(c.add(2, 40));
        System.out.println(c.reversed(new java.util.ArrayList<>(List.of("a", "b", "c"))));
        try {
            c.fail("as asked");
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
        Listener listener = what -> System.out.println(what);
        Listener stub = (Listener) UnicastRemoteObject.exportObject(listener, 0);
        c.call(stub);
        try {
            seen.lookup("nothing");
        } catch (NotBoundException e) {
            System.out.println(e);
        }
        System.out.println(UnicastRemoteObject.unexportObject(listener, true));
        System.out.println(UnicastRemoteObject.unexportObject(server, true));
        try {
            c.add(1, 1);
        } catch (java.rmi.NoSuchObjectException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(UnicastRemoteObject.unexportObject(registry, true));
    }
}
