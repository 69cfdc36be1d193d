/* Threads of native code that attach themselves, and ends that native code brings about. */
#include <jni.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static JavaVM *vm;
static jobject listener;
static jmethodID heard;

static void *work(void *p) {
    JNIEnv *env = NULL;
    long n = (long)p;
    char name[32];
    sprintf(name, "native %ld", n);
    JavaVMAttachArgs args = {JNI_VERSION_1_8, name, NULL};
    int before = (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_EDETACHED;
    int r = n % 2 ? (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &args) : (*vm)->AttachCurrentThread(vm, (void **)&env, &args);
    if (r != JNI_OK) return (void *)-1;
    JNIEnv *same = NULL;
    int after = (*vm)->GetEnv(vm, (void **)&same, JNI_VERSION_1_8) == JNI_OK && same == env;
    long sum = before && after;
    for (int i = 0; i < 10; i++) {
        jstring s = (*env)->NewStringUTF(env, name);
        sum += (*env)->CallIntMethod(env, listener, heard, s, (jint)i);
        if ((*env)->ExceptionCheck(env)) { (*env)->ExceptionClear(env); sum += 1000; }
        (*env)->DeleteLocalRef(env, s);
    }
    if ((*vm)->DetachCurrentThread(vm) != JNI_OK) return (void *)-2;
    return (void *)(sum + ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_EDETACHED ? 10000 : 0));
}

static pthread_t threads[64];

JNIEXPORT void JNICALL Java_Attached_start(JNIEnv *env, jclass k, jobject l, jint n) {
    (*env)->GetJavaVM(env, &vm);
    listener = (*env)->NewGlobalRef(env, l);
    heard = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, l), "heard", "(Ljava/lang/String;I)I");
    for (long i = 0; i < n; i++) pthread_create(&threads[i], NULL, work, (void *)i);
}

JNIEXPORT jlong JNICALL Java_Attached_join(JNIEnv *env, jclass k, jint i) {
    void *r;
    pthread_join(threads[i], &r);
    return (jlong)r;
}

static sem_t done;

static void *posts(void *p) {
    void *r = work(p);
    sem_post(&done);
    return r;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

/* Has the mutex while it runs code of Java. */
static void *signals(void *p) {
    pthread_mutex_lock(&lock);
    void *r = work(p);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return r;
}

/* Waits in native code for a thread that runs code of Java. */
JNIEXPORT jint JNICALL Java_Attached_await(JNIEnv *env, jclass k, jint how) {
    int r = 0;
    if (how == 0) {
        sem_init(&done, 0, 0);
        pthread_create(&threads[0], NULL, posts, (void *)0);
        r = sem_wait(&done);
    } else {
        pthread_mutex_lock(&lock);
        pthread_create(&threads[0], NULL, signals, (void *)0);
        while (!ready) r |= pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    return r;
}

/* One that is not joined: Java code waits for what it says. */
static void *late(void *p) {
    usleep(200000);
    return work(p);
}

JNIEXPORT void JNICALL Java_Attached_later(JNIEnv *env, jclass k) {
    pthread_t t;
    pthread_create(&t, NULL, late, (void *)2);
    pthread_detach(t);
}

JNIEXPORT void JNICALL Java_Misuse_end(JNIEnv *env, jclass k, jint how) {
    switch (how) {
    case 0: (*env)->FatalError(env, "no way on"); break;
    case 1: { jobject o = (*env)->NewLocalRef(env, k); (*env)->DeleteLocalRef(env, o); (*env)->GetObjectClass(env, o); break; }
    case 2: { char *volatile nowhere = (char *)16; *nowhere = 1; break; }
    case 3: (*(void (**)(void))8)(); break;
    default: { volatile char big[1 << 20]; big[0] = 1; Java_Misuse_end(env, k, how + big[0]); }
    }
}
