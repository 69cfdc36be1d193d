// What -Xcheck:jni reports, and ends the VM for.
#include <jni.h>
#include <pthread.h>
#include <unistd.h>

#define E (*env)

static jmethodID method(JNIEnv *env, jclass k, const char *name) { return E->GetStaticMethodID(env, k, name, "()I"); }

static void many(JNIEnv *env, jclass k, int n) {
    for (int i = 0; i < n; i++) E->NewLocalRef(env, k);
}

JNIEXPORT void JNICALL Java_Checked_warned(JNIEnv *env, jclass k, jint how, jobject object, jbyteArray bytes) {
    jclass unchecked = E->FindClass(env, "java/lang/IllegalStateException");
    jmethodID back = method(env, k, "back"), thrown = method(env, k, "thrown");
    switch (how) {
    case 0: // nothing is checked after a call
        E->CallStaticIntMethod(env, k, back);
        E->GetVersion(env);
        E->GetVersion(env);
        break;
    case 1: // the exception is looked at
        E->CallStaticIntMethod(env, k, back);
        E->ExceptionCheck(env);
        E->GetVersion(env);
        break;
    case 2: // a call with an exception
        E->ThrowNew(env, unchecked, "pending");
        E->GetVersion(env);
        break;
    case 3: // both
        E->CallStaticIntMethod(env, k, thrown);
        E->GetVersion(env);
        E->GetVersion(env);
        break;
    case 4: many(env, k, 200); break;
    case 5: { // calls in critical sections
        void *p = E->GetPrimitiveArrayCritical(env, bytes, NULL);
        E->GetVersion(env);
        void *q = E->GetPrimitiveArrayCritical(env, bytes, NULL);
        E->ReleasePrimitiveArrayCritical(env, bytes, q, 0);
        E->ExceptionCheck(env);
        E->ReleasePrimitiveArrayCritical(env, bytes, p, 0);
        E->GetVersion(env);
        break;
    }
    case 6: { // strings with a byte for each character are copied
        jstring small = E->NewStringUTF(env, "small"), large = E->NewString(env, (jchar[]){0x20ac}, 1);
        const jchar *p = E->GetStringCritical(env, small, NULL);
        E->GetVersion(env);
        E->ReleaseStringCritical(env, small, p);
        p = E->GetStringCritical(env, large, NULL);
        E->GetVersion(env);
        E->ReleaseStringCritical(env, large, p);
        E->GetVersion(env);
        break;
    }
    case 7: { // Java code that calls this again
        jmethodID nested = E->GetStaticMethodID(env, k, "nested", "()I");
        E->CallStaticIntMethod(env, k, nested);
        E->GetVersion(env);
        break;
    }
    case 8: E->FindClass(env, "Ljava/lang/Object;"); break;
    case 9: { jobject w = E->NewWeakGlobalRef(env, object); E->DeleteWeakGlobalRef(env, w); E->GetVersion(env); break; }
    case 10: { // copies are copied back
        jbyte *p = E->GetByteArrayElements(env, bytes, NULL);
        p[9] = 5;
        E->ReleaseByteArrayElements(env, bytes, p, JNI_COMMIT);
        p[9] = 6;
        E->ReleaseByteArrayElements(env, bytes, p, JNI_ABORT);
        E->GetByteArrayRegion(env, bytes, 9, 1, (jbyte[1]){0});
        break;
    }
    case 11: {
        jstring s = E->NewStringUTF(env, "text");
        const char *u = E->GetStringUTFChars(env, s, NULL);
        const jchar *c = E->GetStringChars(env, s, NULL);
        E->ReleaseStringChars(env, s, c);
        E->ReleaseStringUTFChars(env, s, u);
        break;
    }
    case 12: {
        jvalue none[1];
        E->CallStaticIntMethodA(env, k, back, none);
        E->GetObjectClass(env, object);
        break;
    }
    case 13: {
        jmethodID hash = E->GetMethodID(env, k, "hashCode", "()I");
        E->CallIntMethod(env, object, hash);
        E->GetObjectClass(env, object);
        E->CallNonvirtualIntMethod(env, object, k, hash);
        E->DeleteLocalRef(env, NULL);
        E->GetObjectClass(env, object);
        break;
    }
    case 14: { // a call at the end is not asked for
        E->CallStaticIntMethod(env, k, back);
        break;
    }
    case 15: {
        jmethodID made = E->GetMethodID(env, k, "<init>", "()V");
        jobject o = E->NewObject(env, k, made);
        E->GetObjectClass(env, o);
        E->MonitorEnter(env, o);
        E->MonitorExit(env, o);
        break;
    }
    }
}

static void *elsewhere(void *env) {
    (*(JNIEnv *)env)->GetVersion(env);
    return NULL;
}

struct other { JavaVM *vm; JNIEnv *env; volatile int over; };

static void *attached(void *p) {
    struct other *o = p;
    JNIEnv *own;
    (*o->vm)->AttachCurrentThread(o->vm, (void **)&own, NULL);
    (*o->env)->GetVersion(o->env);
    o->over = 1;
    return NULL;
}

JNIEXPORT void JNICALL Java_Checked_fatal(JNIEnv *env, jclass k, jint how, jobject object, jbyteArray bytes, jobjectArray objects) {
    jfieldID number = E->GetStaticFieldID(env, k, "number", "I"), own = E->GetFieldID(env, k, "own", "I");
    jfieldID name = E->GetFieldID(env, k, "name", "Ljava/lang/String;");
    jstring s = E->NewStringUTF(env, "text");
    jclass string = E->GetObjectClass(env, s);
    jmethodID back = method(env, k, "back");
    switch (how) {
    case 0: E->GetIntField(env, object, number); break;
    case 1: E->GetStaticIntField(env, k, own); break;
    case 2: E->GetIntField(env, s, own); break;
    case 3: E->GetLongField(env, object, own); break;
    case 4: E->GetStaticLongField(env, k, number); break;
    case 5: E->GetStaticIntField(env, string, number); break;
    case 6: E->GetIntField(env, NULL, own); break;
    case 7: E->GetIntField(env, object, name); break;
    case 8: E->GetArrayLength(env, s); break;
    case 9: E->GetIntArrayElements(env, bytes, NULL); break;
    case 10: E->GetByteArrayElements(env, objects, NULL); break;
    case 11: E->GetObjectArrayElement(env, bytes, 0); break;
    case 12: E->GetStringLength(env, object); break;
    case 13: E->GetSuperclass(env, object); break;
    case 14: E->GetMethodID(env, NULL, "a", "()V"); break;
    case 15: E->ThrowNew(env, k, "no throwable"); break;
    case 16: E->Throw(env, object); break;
    case 17: { jobject o = E->NewLocalRef(env, k); E->DeleteLocalRef(env, o); E->DeleteLocalRef(env, o); break; }
    case 18: { jobject o = E->NewGlobalRef(env, k); E->DeleteLocalRef(env, o); break; }
    case 19: { jobject o = E->NewLocalRef(env, k); E->DeleteGlobalRef(env, o); break; }
    case 20: E->PushLocalFrame(env, -1); break;
    case 21: E->EnsureLocalCapacity(env, -1); break;
    case 22: { jbyte *p = E->GetByteArrayElements(env, bytes, NULL); p[10] = 1; E->ReleaseByteArrayElements(env, bytes, p, 0); break; }
    case 23: { jbyte *p = E->GetByteArrayElements(env, bytes, NULL); p[-1] = 1; E->ReleaseByteArrayElements(env, bytes, p, 0); break; }
    case 24: E->ReleaseByteArrayElements(env, bytes, NULL, 0); break;
    case 25: { jbyte *p = E->GetByteArrayElements(env, bytes, NULL); E->ReleaseByteArrayElements(env, bytes, p, 7); break; }
    case 26: { const char *p = E->GetStringUTFChars(env, s, NULL); ((char *)p)[5] = 1; E->ReleaseStringUTFChars(env, s, p); break; }
    case 27: { const jchar *p = E->GetStringChars(env, s, NULL); ((jchar *)p)[5] = 1; E->ReleaseStringChars(env, s, p); break; }
    case 28: { const jchar *p = E->GetStringChars(env, s, NULL); E->ReleaseStringUTFChars(env, s, (const char *)p); break; }
    case 29: { const char *p = E->GetStringUTFChars(env, s, NULL); E->ReleaseStringChars(env, s, (const jchar *)p); break; }
    case 30: { jbyte *p = E->GetPrimitiveArrayCritical(env, bytes, NULL); p[10] = 1; E->ReleasePrimitiveArrayCritical(env, bytes, p, 0); break; }
    case 31: { pthread_t t; pthread_create(&t, NULL, elsewhere, env); pthread_join(t, NULL); break; }
    case 32: {
        struct other o = {NULL, env, 0};
        pthread_t t;
        E->GetJavaVM(env, &o.vm);
        pthread_create(&t, NULL, attached, &o);
        for (int i = 0; i < 20000 && !o.over; i++) usleep(1000);
        break;
    }
    case 33: E->CallStaticIntMethod(env, object, back); break;
    case 34: E->AllocObject(env, NULL); break;
    case 35: E->DeleteWeakGlobalRef(env, object); break;
    case 36: E->GetPrimitiveArrayCritical(env, objects, NULL); break;
    case 37: E->SetStaticIntField(env, string, number, 1); break;
    case 38: E->FindClass(env, "\xf0\x18"); break;
    }
    E->FatalError(env, "not found");
}
