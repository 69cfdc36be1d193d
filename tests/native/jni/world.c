/* Exceptions, references, classes, reflection, monitors, registered natives, modules. */
#include <jni.h>
#include <stdio.h>
#include <string.h>
#include <poll.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

JNIEXPORT jint JNICALL Java_World_throwing(JNIEnv *env, jclass k, jint how, jthrowable t) {
    jclass state = (*env)->FindClass(env, "java/lang/IllegalStateException");
    jmethodID boom = (*env)->GetStaticMethodID(env, k, "boom", "(I)I");
    jint r = 0;
    switch (how) {
    case 0: return (*env)->Throw(env, t);
    case 1: return (*env)->ThrowNew(env, state, "gr\xc3\xbc\xc3\x9f");
    case 2: return (*env)->ThrowNew(env, state, NULL);
    case 3: return (*env)->CallStaticIntMethod(env, k, boom, 5);
    case 4: /* caught here */
        r = (*env)->CallStaticIntMethod(env, k, boom, 6);
        jthrowable e = (*env)->ExceptionOccurred(env);
        r += (*env)->ExceptionCheck(env) * 10;
        (*env)->ExceptionClear(env);
        r += (*env)->ExceptionCheck(env) * 100 + ((*env)->ExceptionOccurred(env) == NULL) * 1000;
        jmethodID m = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, e), "getMessage", "()Ljava/lang/String;");
        jstring s = (*env)->CallObjectMethod(env, e, m);
        return r + (*env)->GetStringLength(env, s) * 10000;
    case 5: /* another one in its place */
        (*env)->CallStaticIntMethod(env, k, boom, 7);
        return (*env)->ThrowNew(env, state, "the second");
    case 6: /* described, and gone */
        (*env)->CallStaticIntMethod(env, k, boom, 8);
        (*env)->ExceptionDescribe(env);
        return (*env)->ExceptionCheck(env);
    default: /* thrown in a frame that is popped */
        (*env)->PushLocalFrame(env, 4);
        (*env)->Throw(env, t);
        (*env)->PopLocalFrame(env, NULL);
        return 1;
    }
}

static jobject global;
static jweak weak;

JNIEXPORT jstring JNICALL Java_World_references(JNIEnv *env, jclass k, jobject o) {
    char text[256]; int n = 0;
    jobject local = (*env)->NewLocalRef(env, o);
    global = (*env)->NewGlobalRef(env, o);
    weak = (*env)->NewWeakGlobalRef(env, o);
    n += sprintf(text + n, "%d %d %d %d", (*env)->GetObjectRefType(env, local), (*env)->GetObjectRefType(env, global),
        (*env)->GetObjectRefType(env, weak), (*env)->GetObjectRefType(env, NULL));
    n += sprintf(text + n, " %d%d%d%d", (*env)->IsSameObject(env, local, global), (*env)->IsSameObject(env, weak, o),
        (*env)->IsSameObject(env, o, k), (*env)->IsSameObject(env, NULL, NULL));
    (*env)->DeleteLocalRef(env, local);
    n += sprintf(text + n, " %d %d", (*env)->PushLocalFrame(env, 10), (*env)->EnsureLocalCapacity(env, 100));
    for (int i = 0; i < 5000; i++) { jobject x = (*env)->NewLocalRef(env, o); if (i % 3) (*env)->DeleteLocalRef(env, x); }
    jobject kept = (*env)->PopLocalFrame(env, (*env)->NewLocalRef(env, k));
    n += sprintf(text + n, " %d", (*env)->IsSameObject(env, kept, k));
    n += sprintf(text + n, " %d %d %d", (*env)->NewLocalRef(env, NULL) == NULL, (*env)->NewGlobalRef(env, NULL) == NULL, (*env)->NewWeakGlobalRef(env, NULL) == NULL);
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jobject JNICALL Java_World_kept(JNIEnv *env, jclass k) { return global; }
JNIEXPORT void JNICALL Java_World_forget(JNIEnv *env, jclass k) { (*env)->DeleteGlobalRef(env, global); (*env)->DeleteGlobalRef(env, NULL); global = NULL; }
JNIEXPORT jobject JNICALL Java_World_weak(JNIEnv *env, jclass k) {
    jobject strong = (*env)->NewLocalRef(env, weak);
    if ((*env)->IsSameObject(env, weak, NULL)) { (*env)->DeleteWeakGlobalRef(env, weak); weak = NULL; return NULL; }
    return strong;
}

static jint JNICALL first(JNIEnv *env, jobject o, jint n) { return n + 1; }
static jint JNICALL second(JNIEnv *env, jobject o, jint n) { return n + 2; }

JNIEXPORT jint JNICALL Java_World_register(JNIEnv *env, jclass k, jclass c, jstring name, jstring sig, jint which) {
    const char *n = (*env)->GetStringUTFChars(env, name, NULL), *s = (*env)->GetStringUTFChars(env, sig, NULL);
    JNINativeMethod m[] = {{(char *)n, (char *)s, which ? (void *)second : (void *)first}};
    jint r = (*env)->RegisterNatives(env, c, m, 1);
    (*env)->ReleaseStringUTFChars(env, name, n); (*env)->ReleaseStringUTFChars(env, sig, s);
    return r;
}
JNIEXPORT jint JNICALL Java_World_unregister(JNIEnv *env, jclass k, jclass c) { return (*env)->UnregisterNatives(env, c); }

JNIEXPORT jclass JNICALL Java_World_find(JNIEnv *env, jclass k, jstring name) {
    const char *n = (*env)->GetStringUTFChars(env, name, NULL);
    jclass c = (*env)->FindClass(env, n);
    (*env)->ReleaseStringUTFChars(env, name, n);
    return c;
}

JNIEXPORT jlong JNICALL Java_World_id(JNIEnv *env, jclass k, jint what, jclass c, jstring name, jstring sig) {
    const char *n = (*env)->GetStringUTFChars(env, name, NULL), *s = (*env)->GetStringUTFChars(env, sig, NULL);
    void *r = what == 0 ? (void *)(*env)->GetMethodID(env, c, n, s) : what == 1 ? (void *)(*env)->GetStaticMethodID(env, c, n, s)
        : what == 2 ? (void *)(*env)->GetFieldID(env, c, n, s) : (void *)(*env)->GetStaticFieldID(env, c, n, s);
    return r != NULL;
}

JNIEXPORT jobjectArray JNICALL Java_World_classes(JNIEnv *env, jclass k, jclass a, jclass b, jobject o) {
    jobjectArray all = (*env)->NewObjectArray(env, 3, (*env)->FindClass(env, "java/lang/Object"), NULL);
    char text[64];
    sprintf(text, "%d %d %d", (*env)->IsAssignableFrom(env, a, b), (*env)->IsAssignableFrom(env, b, a), (*env)->IsInstanceOf(env, o, a));
    (*env)->SetObjectArrayElement(env, all, 0, (*env)->GetSuperclass(env, a));
    (*env)->SetObjectArrayElement(env, all, 1, (*env)->NewStringUTF(env, text));
    (*env)->SetObjectArrayElement(env, all, 2, (*env)->GetModule(env, a));
    return all;
}

JNIEXPORT jobjectArray JNICALL Java_World_reflected(JNIEnv *env, jclass k, jobject m, jobject f, jobject init) {
    jobjectArray all = (*env)->NewObjectArray(env, 3, (*env)->FindClass(env, "java/lang/Object"), NULL);
    (*env)->SetObjectArrayElement(env, all, 0, (*env)->ToReflectedMethod(env, k, (*env)->FromReflectedMethod(env, m), JNI_TRUE));
    (*env)->SetObjectArrayElement(env, all, 1, (*env)->ToReflectedField(env, k, (*env)->FromReflectedField(env, f), JNI_FALSE));
    (*env)->SetObjectArrayElement(env, all, 2, (*env)->ToReflectedMethod(env, k, (*env)->FromReflectedMethod(env, init), JNI_FALSE));
    return all;
}

JNIEXPORT jclass JNICALL Java_World_define(JNIEnv *env, jclass k, jstring name, jobject loader, jbyteArray bytes) {
    const char *n = name ? (*env)->GetStringUTFChars(env, name, NULL) : NULL;
    jsize len = (*env)->GetArrayLength(env, bytes);
    jbyte *b = (*env)->GetByteArrayElements(env, bytes, NULL);
    jclass c = (*env)->DefineClass(env, n, loader, b, len);
    (*env)->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
    if (n) (*env)->ReleaseStringUTFChars(env, name, n);
    return c;
}

JNIEXPORT jint JNICALL Java_World_monitor(JNIEnv *env, jclass k, jobject o, jint how) {
    return how ? (*env)->MonitorEnter(env, o) : (*env)->MonitorExit(env, o);
}

/* With the monitor, and Java code below it: others must not come in between. */
JNIEXPORT void JNICALL Java_World_guarded(JNIEnv *env, jclass k, jobject o, jobject r) {
    jmethodID run = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, r), "run", "()V");
    (*env)->MonitorEnter(env, o);
    (*env)->CallVoidMethod(env, r, run);
    (*env)->MonitorExit(env, o);
}

JNIEXPORT jint JNICALL Java_World_vm(JNIEnv *env, jclass k) {
    JavaVM *vm; JNIEnv *same = NULL; void *none = (void *)1;
    jint r = (*env)->GetJavaVM(env, &vm);
    r += (*vm)->GetEnv(vm, (void **)&same, JNI_VERSION_1_6) + (same == env) * 10;
    r += ((*vm)->GetEnv(vm, &none, 0x00770000) == JNI_EVERSION) * 100 + (none == NULL) * 1000;
    r += ((*vm)->AttachCurrentThread(vm, (void **)&same, NULL) == JNI_OK) * 10000;
    return r;
}

/* As many calls of Java as are asked for, from deep within C. */
JNIEXPORT jint JNICALL Java_World_upcalls(JNIEnv *env, jclass k, jobject f, jint n) {
    jmethodID m = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, f), "applyAsInt", "(I)I");
    jint sum = 0;
    for (jint i = 0; i < n; i++) sum += (*env)->CallIntMethod(env, f, m, i);
    return sum;
}

/* Waits that let others run. */
JNIEXPORT jint JNICALL Java_Waiting_doze(JNIEnv *env, jclass k, jint how) {
    struct timespec t = {0, 50000000};
    struct epoll_event e;
    int fd;
    switch (how) {
    case 0: return nanosleep(&t, NULL);
    case 1: return usleep(50000);
    case 2: return poll(NULL, 0, 50);
    default:
        fd = epoll_create(1);
        how = epoll_wait(fd, &e, 1, 50);
        close(fd);
        return how;
    }
}

/* A byte that another thread writes into a pipe. */
static int ends[2];
JNIEXPORT jint JNICALL Java_Waiting_receive(JNIEnv *env, jclass k) {
    struct pollfd p = {ends[0], POLLIN, 0};
    char c = 0;
    return poll(&p, 1, -1) == 1 && read(ends[0], &c, 1) == 1 ? c : -1;
}
JNIEXPORT jint JNICALL Java_Waiting_read(JNIEnv *env, jclass k) {
    char c = 0;
    return read(ends[0], &c, 1) == 1 ? c : -1;
}
JNIEXPORT jint JNICALL Java_Waiting_open(JNIEnv *env, jclass k) { return pipe(ends); }
JNIEXPORT jint JNICALL Java_Waiting_send(JNIEnv *env, jclass k, jint c) { char b = (char)c; return (jint)write(ends[1], &b, 1); }

JNIEXPORT jint JNI_OnLoad(JavaVM *vm, void *reserved) {
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
    /* finds a class by the loader of the class that loads the library */
    jclass c = (*env)->FindClass(env, "Loaded");
    if (!c) { (*env)->ExceptionClear(env); return JNI_VERSION_1_8; }
    jmethodID m = (*env)->GetStaticMethodID(env, c, "loaded", "()V");
    (*env)->CallStaticVoidMethod(env, c, m);
    return JNI_VERSION_1_8;
}
