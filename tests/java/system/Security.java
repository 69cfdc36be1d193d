import java.math.BigInteger;
import java.security.*;
import java.security.spec.*;
import java.util.*;

/** Signatures and keys with given numbers, doPrivileged, permissions, providers, key stores in memory. */
@SuppressWarnings({"deprecation", "removal"})
public class Security {
    public static void main(String[] args) throws Exception {
        String s = AccessController.doPrivileged((PrivilegedAction<String>) () -> "privileged " + System.getProperty("path.separator"));
        System.out.println(s);
        try {
            AccessController.doPrivileged((PrivilegedExceptionAction<Object>) () -> { throw new java.io.IOException("checked"); });
        } catch (PrivilegedActionException e) {
            System.out.println(e.getException());
        }
        try {
            AccessController.doPrivileged((PrivilegedAction<Object>) () -> { throw new IllegalStateException("unchecked"); });
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(AccessController.doPrivileged((PrivilegedAction<Integer>) () -> AccessController.doPrivileged((PrivilegedAction<Integer>) () -> 5, AccessController.getContext()) + 1));
        PropertyPermission all = new PropertyPermission("a.*", "read,write"), one = new PropertyPermission("a.b", "read");
        System.out.println(all.implies(one) + " " + one.implies(all) + " " + new java.io.FilePermission("/tmp/-", "read").implies(new java.io.FilePermission("/tmp/a/b", "read")) + " " + all.getActions());
        Permissions ps = new Permissions();
        ps.add(all);
        System.out.println(ps.implies(one) + " " + new AllPermission().implies(all) + " " + new RuntimePermission("x").equals(new RuntimePermission("x")));
        KeyFactory kf = KeyFactory.getInstance("RSA");
        BigInteger p = new BigInteger("f7e75fdc469067ffdc4e847c51f452df", 16).nextProbablePrime(), q = p;
        for (int i = 0; i < 600; i += 200) p = p.multiply(BigInteger.TWO.pow(100)).nextProbablePrime();
        q = p.shiftLeft(5).nextProbablePrime();
        BigInteger n = p.multiply(q), e = BigInteger.valueOf(65537), d = e.modInverse(p.subtract(BigInteger.ONE).multiply(q.subtract(BigInteger.ONE)));
        PrivateKey priv = kf.generatePrivate(new RSAPrivateKeySpec(n, d));
        PublicKey pub = kf.generatePublic(new RSAPublicKeySpec(n, e));
        Signature sig = Signature.getInstance("SHA256withRSA");
        sig.initSign(priv);
        sig.update("message".getBytes());
        byte[] signed = sig.sign();
        System.out.println(n.bitLength() + " " + signed.length + " " + Arrays.hashCode(signed));
        sig.initVerify(pub);
        sig.update("message".getBytes());
        System.out.print(sig.verify(signed) + " ");
        sig.update("massage".getBytes());
        System.out.println(sig.verify(signed));
        System.out.println(pub.getAlgorithm() + " " + pub.getFormat() + " " + kf.generatePublic(new X509EncodedKeySpec(pub.getEncoded())).equals(pub) + " " + Arrays.hashCode(pub.getEncoded()));
        SecureRandom r = SecureRandom.getInstance("SHA1PRNG");
        r.setSeed(42);
        System.out.println(r.nextInt() + " " + r.nextLong());
        List<String> names = new ArrayList<>();
        for (Provider x : java.security.Security.getProviders()) names.add(x.getName());
        System.out.println(names.contains("SUN") + " " + names.contains("SunJCE") + " " + MessageDigest.getInstance("SHA-256").getProvider().getName() + " " + names.indexOf("SUN"));
        Policy.Parameters none = null;
        System.out.println((System.getSecurityManager() == null) + " " + (none == null) + " " + new CodeSource(null, (java.security.cert.Certificate[]) null).implies(new CodeSource(null, (java.security.cert.Certificate[]) null)));
        GuardedObject g = new GuardedObject("guarded", o -> { if (o == null) throw new SecurityException(); });
        System.out.println(g.getObject());
    }
}
