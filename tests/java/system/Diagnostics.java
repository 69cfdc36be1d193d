import java.lang.management.*; import com.sun.management.*; import javax.management.*; import java.util.*; import java.io.*;
/** HotSpotDiagnosticMXBean: options, how they are set, heap dumps; logging, figures of threads and collections, and what is refused. */
public class Diagnostics {

 static void t(String n, java.util.concurrent.Callable<Object> c){ try { System.out.println(n+": "+c.call()); } catch(Throwable e){ System.out.println(n+": "+e+(e.getCause()==null?"":" / "+e.getCause())); } }
 public static void main(String[] a) throws Exception {
  HotSpotDiagnosticMXBean b=ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
  for(String o:new String[]{"HeapDumpOnOutOfMemoryError","HeapDumpPath","MaxHeapSize","UseSerialGC","UseG1GC","PrintConcurrentLocks","ShowCodeDetailsInExceptionMessages","ObjectAlignmentInBytes","UseCompressedOops","ThreadStackSize","MaxDirectMemorySize","Nope","UseCompressedClassPointers","MaxMetaspaceSize"}) t(o,()->{ VMOption v=b.getVMOption(o); return v.getName()+" "+(o.equals("MaxHeapSize")||o.startsWith("Initial")||o.startsWith("MaxNew")||o.equals("MaxRAM")||o.startsWith("Soft")?"":v.getValue())+" "+v.getOrigin()+" "+v.isWriteable(); });
  List<String> d=new ArrayList<>(); for(VMOption v:b.getDiagnosticOptions()) d.add(v.getName()); System.out.println(d.containsAll(List.of("HeapDumpOnOutOfMemoryError","HeapDumpPath","PrintConcurrentLocks","ShowCodeDetailsInExceptionMessages")));
  t("null",()->b.getVMOption(null));
  t("set",()->{b.setVMOption("HeapDumpOnOutOfMemoryError","true"); return b.getVMOption("HeapDumpOnOutOfMemoryError");});
  t("setbad",()->{b.setVMOption("HeapDumpOnOutOfMemoryError","x"); return b.getVMOption("HeapDumpOnOutOfMemoryError");});
  t("setro",()->{b.setVMOption("MaxHeapSize","1"); return 1;});
  t("setnone",()->{b.setVMOption("Nope","1"); return 1;});
  t("setnull",()->{b.setVMOption("HeapDumpPath",null); return 1;});
  t("setpath",()->{b.setVMOption("HeapDumpPath","/tmp/x"); return b.getVMOption("HeapDumpPath");});
  File f=new File("diagnostics.hprof");
  t("dump",()->{b.dumpHeap(f.getPath(),true); return f.length()>1000;});
  t("again",()->{b.dumpHeap(f.getPath(),false); return 1;}); f.delete();
  t("ext",()->{b.dumpHeap("x.bin",false); return 1;});
  t("dir",()->{b.dumpHeap("nodir/x.hprof",false); return 1;});
  PlatformLoggingMXBean l=ManagementFactory.getPlatformMXBean(PlatformLoggingMXBean.class);
  t("ll",()->l.getLoggerLevel("")+" "+l.getLoggerLevel("nope")+" "+l.getParentLoggerName("global"));
  t("sl",()->{l.setLoggerLevel("global","FINE"); return l.getLoggerLevel("global");});
  t("sl2",()->{l.setLoggerLevel("nope","FINE"); return 1;});
  com.sun.management.OperatingSystemMXBean o=(com.sun.management.OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
  t("os",()->o.getClass().getName()+" "+(o.getSystemLoadAverage()>=0)+" "+(o.getTotalMemorySize()>0)+" "+(o.getCpuLoad()<=1)+" "+(o.getProcessCpuTime()>0));
  byte[] z=new byte[1000]; System.gc(); for(int i=0;i<300;i++) z=new byte[1<<20];
  for(java.lang.management.GarbageCollectorMXBean g:ManagementFactory.getGarbageCollectorMXBeans()) t(g.getName(),()->{ GcInfo i=((com.sun.management.GarbageCollectorMXBean)g).getLastGcInfo(); return i==null?null:(i.getId()>0)+" "+i.getMemoryUsageAfterGc().keySet().stream().filter(k->!k.startsWith("Code")).sorted().toList()+" "+(i.getDuration()>=0)+" "+i.getCompositeType().keySet();});
  com.sun.management.ThreadMXBean t=(com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
  t("alloc",()->{ long x=t.getThreadAllocatedBytes(Thread.currentThread().getId()); byte[] y=new byte[1<<20]; return t.getCurrentThreadAllocatedBytes()-x>=1<<20; });
  t("cpu",()->t.getThreadCpuTime(Thread.currentThread().getId())>0);
  t("badcpu",()->t.getThreadCpuTime(-5)); t("nocpu",()->t.getThreadCpuTime(99999));
  t("arr",()->Arrays.toString(t.getThreadCpuTime(new long[]{99999}))+Arrays.toString(t.getThreadAllocatedBytes(new long[]{99999})));
  t("en",()->{t.setThreadCpuTimeEnabled(false); long x=t.getCurrentThreadCpuTime(); t.setThreadCpuTimeEnabled(true); return x;});
  t("al",()->{t.setThreadAllocatedMemoryEnabled(false); long x=t.getThreadAllocatedBytes(1); t.setThreadAllocatedMemoryEnabled(true); return x;});
  RuntimeMXBean r=ManagementFactory.getRuntimeMXBean(); t("rt",()->r.getName().equals(ProcessHandle.current().pid()+"@"+java.net.InetAddress.getLocalHost().getHostName())+" "+(r.getStartTime()+r.getUptime()-System.currentTimeMillis()<2000)+r.getSpecName()+r.getSpecVersion()+r.getManagementSpecVersion());
 } }
