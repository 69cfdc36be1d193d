/** Found through the manifest's Class-Path. */
public class Helper {
    public static String help() { return "helped"; }
}
