import java.lang.management.*; import java.util.*;
/** Hot threads, as servers show them: processor time and stacks of threads in intervals. */
public class HotThreads {

 static volatile long sink; static volatile boolean stop;
 static void spin(){ long x=0; while(!stop){ for(int i=0;i<1000;i++) x+=i*31; sink=x; } }
 static void half(){ while(!stop){ long x=0; for(int i=0;i<20000;i++) x+=i; sink=x; try{Thread.sleep(2);}catch(InterruptedException e){} } }
 public static void main(String[] a) throws Exception {
  Thread[] ts={new Thread(HotThreads::spin,"spinner"),new Thread(HotThreads::half,"half"),new Thread(()->{synchronized(HotThreads.class){try{HotThreads.class.wait();}catch(Exception e){}}},"idle")}; for(Thread t:ts){t.setDaemon(true);t.start();}
  Thread.sleep(200);
  ThreadMXBean b=ManagementFactory.getThreadMXBean(); b.setThreadContentionMonitoringEnabled(true);
  Map<Long,long[]> before=new HashMap<>(); for(long id:b.getAllThreadIds()) before.put(id,new long[]{b.getThreadCpuTime(id)});
  long w0=System.nanoTime(); Map<Long,Map<String,Integer>> top=new HashMap<>();
  for(int i=0;i<10;i++){ Thread.sleep(50); long[] ids=before.keySet().stream().mapToLong(x->x).toArray(); for(ThreadInfo t:b.getThreadInfo(ids,Integer.MAX_VALUE)) if(t!=null&&t.getStackTrace().length>0){ String f=""; for(StackTraceElement e:t.getStackTrace()) if(e.getClassName().equals("HotThreads")) { f=e.getMethodName(); break; } top.computeIfAbsent(t.getThreadId(),k->new TreeMap<>()).merge(f,1,Integer::sum); } }
  long wall=System.nanoTime()-w0;
  List<Object[]> rows=new ArrayList<>(); long sum=0; for(long id:before.keySet()){ long c=b.getThreadCpuTime(id)-before.get(id)[0]; sum+=c; ThreadInfo t=b.getThreadInfo(id); rows.add(new Object[]{c,t==null?"?":t.getThreadName(),top.get(id)}); }
  stop=true;
  rows.sort((x,y)->((String)x[1]).compareTo((String)y[1]));
  System.out.println(b.isThreadCpuTimeEnabled());
  for(Object[] r:rows) if(!List.of("main","spinner","half","idle").contains(r[1])) continue; else System.out.println(r[1]+" "+(r[1].equals("spinner") ? (Long)r[0]>5000000 : r[1].equals("idle") ? (Long)r[0]<5000000 : true)+" "+r[2]);
  System.out.println(sum<=wall*2);
 } }
