/* Creates a VM, calls Java and is called by it, has another thread attach itself, and destroys the VM. */
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static JavaVM *vm;

static jint JNICALL twice(JNIEnv *env, jclass c, jint n) {
    return 2 * n;
}

/* What C code keeps for each of its threads: a lock, a number, and the thread. */
static pthread_mutex_t lock;
static __thread int own;
static __thread pthread_t self;

/* Calls Java, which calls this again, with one less; the lock is the thread's that entered it before. */
static jint JNICALL down(JNIEnv *env, jclass c, jint n) {
    JNIEnv *again = NULL;
    own++;
    if (!pthread_equal(self, pthread_self())) return -1000;
    if ((*vm)->GetEnv(vm, (void **) &again, JNI_VERSION_1_8) != JNI_OK || again != env) return -2000;
    if (n == 0) {
        jclass none = (*env)->FindClass(env, "NoSuchClass");
        /* the exception is thrown by all of them, or by none */
        if (own % 2) (*env)->ExceptionClear(env);
        return none == NULL ? own : -3000;
    }
    pthread_mutex_lock(&lock);
    jint r = (*env)->CallStaticIntMethod(env, c, (*env)->GetStaticMethodID(env, c, "up", "(I)I"), n - 1);
    pthread_mutex_unlock(&lock);
    return r + own;
}

/* A thread of Java waits for the lock of a thread of C code. */
static jint JNICALL enter(JNIEnv *env, jclass c, jint n) {
    pthread_mutex_lock(&lock);
    int r = n + own;
    pthread_mutex_unlock(&lock);
    return r;
}

/* A thread of C code with its own number calls Java, which calls C code on this thread. */
static void nested(JNIEnv *env, const char *whose, int depth) {
    jclass c = (*env)->FindClass(env, "Created");
    self = pthread_self();
    pthread_mutex_lock(&lock);
    (*env)->CallStaticVoidMethod(env, c, (*env)->GetStaticMethodID(env, c, "begin", "()V"));
    jint r = (*env)->CallStaticIntMethod(env, c, (*env)->GetStaticMethodID(env, c, "up", "(I)I"), depth);
    pthread_mutex_unlock(&lock);
    jthrowable thrown = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    (*env)->CallStaticVoidMethod(env, c, (*env)->GetStaticMethodID(env, c, "end", "()V"));
    printf("%s: %d %d %d\n", whose, r, own, thrown != NULL);
}

static void *other(void *unused) {
    JNIEnv *env;
    printf("another thread: %d\n", (*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_1_8));
    if ((*vm)->AttachCurrentThread(vm, (void **) &env, NULL) != JNI_OK) return "not attached";
    jclass c = (*env)->FindClass(env, "Created");
    jmethodID m = (*env)->GetStaticMethodID(env, c, "sum", "(I)I");
    printf("sum: %d\n", (*env)->CallStaticIntMethod(env, c, m, 1000));
    nested(env, "another", 6);
    fflush(stdout);
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}

int main(int argc, char **argv) {
    JavaVMOption options[16];
    JavaVMInitArgs args = {JNI_VERSION_1_8, argc - 2, options, JNI_FALSE};
    JNIEnv *env;
    JavaVM *found;
    jsize count;
    for (int i = 2; i < argc; i++) options[i - 2].optionString = argv[i];
    setvbuf(stdout, NULL, _IOLBF, 0);
    JNI_GetCreatedJavaVMs(&found, 1, &count);
    printf("before: %d\n", (int) count);
    jint r = JNI_CreateJavaVM(&vm, (void **) &env, &args);
    if (r != JNI_OK) {
        printf("not created: %d\n", r);
        return 2;
    }
    JNI_GetCreatedJavaVMs(&found, 1, &count);
    printf("created: %d %d\n", (int) count, found == vm);
    JavaVM *second;
    JNIEnv *unused;
    printf("again: %d\n", JNI_CreateJavaVM(&second, (void **) &unused, &args));
    jclass none = (*env)->FindClass(env, "NoSuchClass");
    printf("missing: %d %d\n", none == NULL, (*env)->ExceptionCheck(env));
    (*env)->ExceptionClear(env);
    jclass c = (*env)->FindClass(env, "Created");
    if (c == NULL) {
        (*env)->ExceptionDescribe(env);
        return 3;
    }
    JNINativeMethod natives[] = {
        {"twice", "(I)I", (void *) twice},
        {"down", "(I)I", (void *) down},
        {"enter", "(I)I", (void *) enter},
    };
    printf("registered: %d\n", (*env)->RegisterNatives(env, c, natives, 3));
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    nested(env, "main", 3);
    nested(env, "deep", 200);
    jmethodID m = (*env)->GetStaticMethodID(env, c, "main", "([Ljava/lang/String;)V");
    jobjectArray strings = (*env)->NewObjectArray(env, 1, (*env)->FindClass(env, "java/lang/String"), (*env)->NewStringUTF(env, argv[1]));
    (*env)->CallStaticVoidMethod(env, c, m, strings);
    if ((*env)->ExceptionCheck(env)) {
        jthrowable e = (*env)->ExceptionOccurred(env);
        (*env)->ExceptionClear(env);
        jclass of = (*env)->GetObjectClass(env, e);
        jstring text = (*env)->CallObjectMethod(env, e, (*env)->GetMethodID(env, of, "toString", "()Ljava/lang/String;"));
        const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
        printf("thrown: %s\n", chars);
        (*env)->ReleaseStringUTFChars(env, text, chars);
    }
    pthread_t thread;
    void *problem;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, &problem);
    if (problem) printf("%s\n", (char *) problem);
    printf("detached: %d\n", (*vm)->DetachCurrentThread(vm));
    printf("attached: %d\n", (*vm)->AttachCurrentThread(vm, (void **) &env, NULL));
    c = (*env)->FindClass(env, "Created");
    printf("sum: %d\n", (*env)->CallStaticIntMethod(env, c, (*env)->GetStaticMethodID(env, c, "sum", "(I)I"), 10));
    fflush(stdout);
    printf("destroyed: %d\n", (*vm)->DestroyJavaVM(vm));
    return 0;
}
