import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.Recording;

/** A program with events of its own, which asks for a recording by itself. */
public class Own {
    @Name("own.Event")
    static class OwnEvent extends Event {
        int number;
    }

    public static void main(String[] args) {
        System.out.println(FlightRecorder.isAvailable() + " " + FlightRecorder.isInitialized());
        for (int i = 0; i < 3; i++) {
            OwnEvent event = new OwnEvent();
            event.begin();
            event.number = i;
            event.end();
            System.out.println(event.isEnabled() + " " + event.shouldCommit());
            event.commit();
        }
        try (Recording recording = new Recording()) {
            recording.start();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
