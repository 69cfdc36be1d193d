/** Found in a jar. */
public class K {
}
