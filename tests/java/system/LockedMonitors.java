import java.lang.management.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
/** ThreadMXBean: the monitors and synchronizers that threads have, with the frames that locked them; what they wait for and who has it. */
public class LockedMonitors {
  static final Object A=new Object(), B=new Object(), C=new Object();
  static volatile Thread pool;
  static class Res { synchronized void m(CountDownLatch l, Runnable r){ l.countDown(); r.run(); } static synchronized void sm(Runnable r){ r.run(); } }
  static ThreadMXBean b=ManagementFactory.getThreadMXBean();
  static void show(ThreadInfo t){
    System.out.println("== "+t.getThreadName()+" "+t.getThreadState()+" lock "+cls(t.getLockInfo())+" owner "+t.getLockOwnerName()+" "+(t.getLockOwnerId()>0)+" "+(t.getLockName()==null?null:t.getLockName().replaceAll("@.*","")));
    for(StackTraceElement e:t.getStackTrace()) System.out.println("   "+hide(e));
    for(MonitorInfo m:t.getLockedMonitors()) System.out.println(" M "+m.getClassName()+" "+m.getLockedStackDepth()+" "+hide(m.getLockedStackFrame()));
    for(LockInfo m:t.getLockedSynchronizers()) System.out.println(" S "+m.getClassName());
  }
  static String hide(Object frame) { return ("" + frame).replaceAll("Lambda.*/0x[0-9a-f]+", "Lambda").replaceAll("@[0-9a-f]+", "@").replaceAll("(java[.][a-z]+)@[^/]*/(.*:)[0-9]+", "$1/$2").replaceAll("@[.0-9]*/", "/"); }
  static String cls(LockInfo l){return l==null?null:l.getClassName();}
  static Thread start(String n, Runnable r){ Thread t=new Thread(r,n); t.setDaemon(true); t.start(); return t; }
  static void until(Thread t, Thread.State s) throws Exception { while(t.getState()!=s) Thread.sleep(1); Thread.sleep(20);}
  static void w(Object o){ try { o.wait(); } catch (InterruptedException e) {} }
  public static void main(String[] a) throws Exception {
    Res res=new Res();
    ReentrantLock rl=new ReentrantLock(); ReentrantReadWriteLock rw=new ReentrantReadWriteLock(); StampedLock sl=new StampedLock(); Semaphore sem=new Semaphore(0);
    CountDownLatch l=new CountDownLatch(1);
    Thread waiter=start("waiter",()->{ synchronized(A){ synchronized(B){ synchronized(A){ w(A);} } } });
    until(waiter,Thread.State.WAITING);
    Thread waiter2=start("waiter2",()->{ synchronized(B){ synchronized(A){ w(B);} } });
    until(waiter2,Thread.State.BLOCKED);
    Thread holder=start("holder",()->{ rl.lock(); rw.writeLock().lock(); res.m(l,()->{ synchronized(C){ LockSupport.park(C); } }); });
    l.await(); until(holder,Thread.State.WAITING);
    Thread bm=start("blockedMethod",()->res.m(l,()->{}));
    until(bm,Thread.State.BLOCKED);
    Thread bb=start("blockedBlock",()->{ synchronized(A){ synchronized(C){} } });
    Thread bs=start("static",()->Res.sm(()->{ sl.writeLock(); Object o=LockedMonitors.class; synchronized(o) { synchronized(String.class) { try { Thread.sleep(100000); } catch (InterruptedException e){} } } }));
    Thread pl=start("parkedLock",rl::lock); Thread pr=start("parkedRead",()->rw.readLock().lock()); Thread ps=start("sem",()->sem.acquireUninterruptibly());
    Thread pst=start("stamped",()->sl.readLock());
    Thread cond=start("cond",()->{ ReentrantLock k=new ReentrantLock(); k.lock(); Condition c=k.newCondition(); c.awaitUninterruptibly(); });
    Thread ex=start("exch",()->{ ThreadPoolExecutor e=new ThreadPoolExecutor(1,1,1,TimeUnit.DAYS,new LinkedBlockingQueue<>(),r->{Thread t=new Thread(r,"pool");t.setDaemon(true);return t;}); e.execute(()->{ pool=Thread.currentThread(); LockSupport.park(); }); LockSupport.parkNanos(1L<<50); });
    for (Thread t : new Thread[] {bs, ex}) until(t, Thread.State.TIMED_WAITING);
    for (Thread t : new Thread[] {pl, pr, ps, pst, cond}) until(t, Thread.State.WAITING);
    until(bb, Thread.State.BLOCKED);
    while (pool == null) Thread.sleep(1);
    until(pool, Thread.State.WAITING);
    Set<String> names=new TreeSet<>(List.of("waiter","waiter2","holder","blockedMethod","blockedBlock","static","parkedLock","parkedRead","sem","stamped","cond","pool","exch","main"));
    Map<String,ThreadInfo> m=new TreeMap<>();
    synchronized(res.getClass().getClassLoader()) { hold(m,names); }
  }
  static void hold(Map<String,ThreadInfo> m, Set<String> names) { Object x=new int[0]; synchronized(x) { synchronized(x) {
    ThreadInfo[] all=b.dumpAllThreads(true,true);
    for(ThreadInfo t:all) if(names.contains(t.getThreadName())) m.put(t.getThreadName(),t);
    for(String n:names) show(m.get(n));
    System.out.println("---- depth 1");
    for(ThreadInfo t:b.dumpAllThreads(true,true,1)) if(t.getThreadName().equals("holder")||t.getThreadName().equals("main")) show(t);
    for(ThreadInfo t:b.dumpAllThreads(true,true,0)) if(t.getThreadName().equals("holder")) show(t);
    for(ThreadInfo t:b.dumpAllThreads(false,false,2)) if(t.getThreadName().equals("holder")) show(t);
    long id=m.get("holder").getThreadId();
    show(b.getThreadInfo(id)); show(b.getThreadInfo(id,3)); show(b.getThreadInfo(new long[]{id},true,false)[0]); show(b.getThreadInfo(new long[]{id},false,true)[0]); show(b.getThreadInfo(new long[]{id},true,true,4)[0]);
    System.out.println(b.getThreadInfo(123456)+" "+b.getThreadInfo(new long[]{id,123456},true,true)[1]);
    System.out.println(hide(m.get("holder")).replaceAll("Id=[0-9]+", "Id="));
    try { b.dumpAllThreads(true,true,-1);} catch(IllegalArgumentException e){System.out.println(e);}
    try { b.getThreadInfo(new long[]{id,0},true,true);} catch(IllegalArgumentException e){System.out.println(e);}
    System.out.println(b.isObjectMonitorUsageSupported()+" "+b.isSynchronizerUsageSupported()+" "+b.isThreadContentionMonitoringSupported()+" "+b.isCurrentThreadCpuTimeSupported()+" "+b.isThreadCpuTimeSupported()+b.isThreadCpuTimeEnabled()+b.isThreadContentionMonitoringEnabled());
  } } }
}
