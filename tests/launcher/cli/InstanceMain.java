/** Its main method isn't static. */
public class InstanceMain {
    public void main(String[] args) { }
}
