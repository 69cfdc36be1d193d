/* Calls of Java methods: each kind, type of result and form of arguments. */
#include <jni.h>
#include <stdarg.h>

static const char *M[] = {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"};
static const char *S[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9"};
#define P "(ZBCSIJFDLjava/lang/Object;IIIJDDDDDDDDF)"
static const char *DESC[] = {
    P "Ljava/lang/Object;", P "Z", P "B", P "C", P "S", P "I", P "J", P "F", P "D", P "V",
};

#define ARGS(o) JNI_TRUE, (jbyte)-7, (jchar)0xffee, (jshort)-300, (jint)-100000, (jlong)-5000000000LL, (jfloat)1.25f, \
    (jdouble)-2.5, o, 1, 2, 3, (jlong)4, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, (jfloat)9.5f

static void fill(jvalue *v, jobject o) {
    v[0].z = JNI_TRUE; v[1].b = -7; v[2].c = 0xffee; v[3].s = -300; v[4].i = -100000; v[5].j = -5000000000LL;
    v[6].f = 1.25f; v[7].d = -2.5; v[8].l = o; v[9].i = 1; v[10].i = 2; v[11].i = 3; v[12].j = 4;
    for (int i = 0; i < 8; i++) v[13 + i].d = 1.5 + i;
    v[21].f = 9.5f;
}

#define FORMS(Type, T) \
static T virtual_v_##Type(JNIEnv *env, jobject o, jmethodID m, ...) { \
    va_list l; va_start(l, m); T r = (*env)->Call##Type##MethodV(env, o, m, l); va_end(l); return r; } \
static T direct_v_##Type(JNIEnv *env, jobject o, jclass c, jmethodID m, ...) { \
    va_list l; va_start(l, m); T r = (*env)->CallNonvirtual##Type##MethodV(env, o, c, m, l); va_end(l); return r; } \
static T static_v_##Type(JNIEnv *env, jclass c, jmethodID m, ...) { \
    va_list l; va_start(l, m); T r = (*env)->CallStatic##Type##MethodV(env, c, m, l); va_end(l); return r; } \
static T call_##Type(JNIEnv *env, jobject o, jclass base, jclass c, jmethodID m, jmethodID bm, jmethodID s, int how, jobject x) { \
    jvalue v[22]; fill(v, x); \
    switch (how) { \
    case 0: return (*env)->Call##Type##Method(env, o, m, ARGS(x)); \
    case 1: return virtual_v_##Type(env, o, m, ARGS(x)); \
    case 2: return (*env)->Call##Type##MethodA(env, o, m, v); \
    case 3: return (*env)->CallNonvirtual##Type##Method(env, o, base, bm, ARGS(x)); \
    case 4: return direct_v_##Type(env, o, base, bm, ARGS(x)); \
    case 5: return (*env)->CallNonvirtual##Type##MethodA(env, o, base, bm, v); \
    case 6: return (*env)->CallStatic##Type##Method(env, c, s, ARGS(x)); \
    case 7: return static_v_##Type(env, c, s, ARGS(x)); \
    default: return (*env)->CallStatic##Type##MethodA(env, c, s, v); \
    } }
FORMS(Object, jobject) FORMS(Boolean, jboolean) FORMS(Byte, jbyte) FORMS(Char, jchar) FORMS(Short, jshort)
FORMS(Int, jint) FORMS(Long, jlong) FORMS(Float, jfloat) FORMS(Double, jdouble)

static void void_v(JNIEnv *env, jobject o, jmethodID m, ...) { va_list l; va_start(l, m); (*env)->CallVoidMethodV(env, o, m, l); va_end(l); }
static void dvoid_v(JNIEnv *env, jobject o, jclass c, jmethodID m, ...) { va_list l; va_start(l, m); (*env)->CallNonvirtualVoidMethodV(env, o, c, m, l); va_end(l); }
static void svoid_v(JNIEnv *env, jclass c, jmethodID m, ...) { va_list l; va_start(l, m); (*env)->CallStaticVoidMethodV(env, c, m, l); va_end(l); }

#define ONE(n, Type) case n: return (jlong)call_##Type(env, o, base, c, m, bm, s, how, x)

JNIEXPORT jlong JNICALL Java_Calls_primitive(JNIEnv *env, jclass c, jobject o, jclass base, jint type, jint how, jobject x) {
    jmethodID m = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, o), M[type], DESC[type]);
    jmethodID bm = (*env)->GetMethodID(env, base, M[type], DESC[type]);
    jmethodID s = (*env)->GetStaticMethodID(env, c, S[type], DESC[type]);
    switch (type) {
    ONE(1, Boolean); ONE(2, Byte); ONE(3, Char); ONE(4, Short); ONE(5, Int); ONE(6, Long);
    case 7: return (jlong)(call_Float(env, o, base, c, m, bm, s, how, x) * 1000);
    case 8: return (jlong)(call_Double(env, o, base, c, m, bm, s, how, x) * 1000);
    }
    jvalue v[22]; fill(v, x);
    switch (how) {
    case 0: (*env)->CallVoidMethod(env, o, m, ARGS(x)); break;
    case 1: void_v(env, o, m, ARGS(x)); break;
    case 2: (*env)->CallVoidMethodA(env, o, m, v); break;
    case 3: (*env)->CallNonvirtualVoidMethod(env, o, base, bm, ARGS(x)); break;
    case 4: dvoid_v(env, o, base, bm, ARGS(x)); break;
    case 5: (*env)->CallNonvirtualVoidMethodA(env, o, base, bm, v); break;
    case 6: (*env)->CallStaticVoidMethod(env, c, s, ARGS(x)); break;
    case 7: svoid_v(env, c, s, ARGS(x)); break;
    default: (*env)->CallStaticVoidMethodA(env, c, s, v);
    }
    return 0;
}

JNIEXPORT jobject JNICALL Java_Calls_object(JNIEnv *env, jclass c, jobject o, jclass base, jint how, jobject x) {
    jmethodID m = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, o), M[0], DESC[0]);
    jmethodID bm = (*env)->GetMethodID(env, base, M[0], DESC[0]);
    jmethodID s = (*env)->GetStaticMethodID(env, c, S[0], DESC[0]);
    return call_Object(env, o, base, c, m, bm, s, how, x);
}

static jobject new_v(JNIEnv *env, jclass c, jmethodID m, ...) {
    va_list l; va_start(l, m); jobject r = (*env)->NewObjectV(env, c, m, l); va_end(l); return r;
}

JNIEXPORT jobject JNICALL Java_Calls_make(JNIEnv *env, jclass k, jclass c, jint how, jint a, jdouble b) {
    jmethodID m = (*env)->GetMethodID(env, c, "<init>", "(ID)V");
    jvalue v[2]; v[0].i = a; v[1].d = b;
    if (!m) return NULL;
    switch (how) {
    case 0: return (*env)->NewObject(env, c, m, a, b);
    case 1: return new_v(env, c, m, a, b);
    case 2: return (*env)->NewObjectA(env, c, m, v);
    default: return (*env)->AllocObject(env, c);
    }
}

/* An interface's method, called on whatever implements it; the depth of calls there and back. */
JNIEXPORT jint JNICALL Java_Calls_through(JNIEnv *env, jclass k, jobject f, jint n) {
    jclass c = (*env)->FindClass(env, "java/util/function/IntUnaryOperator");
    jmethodID m = (*env)->GetMethodID(env, c, "applyAsInt", "(I)I");
    return (*env)->CallIntMethod(env, f, m, n) + 1;
}

/* Results of natives: each is cut to its type. */
JNIEXPORT jboolean JNICALL Java_Calls_z(JNIEnv *env, jclass k, jint n) { return (jboolean)n; }
JNIEXPORT jbyte JNICALL Java_Calls_b(JNIEnv *env, jclass k, jint n) { return (jbyte)n; }
JNIEXPORT jchar JNICALL Java_Calls_c(JNIEnv *env, jclass k, jint n) { return (jchar)n; }
JNIEXPORT jshort JNICALL Java_Calls_s(JNIEnv *env, jclass k, jint n) { return (jshort)n; }
JNIEXPORT jfloat JNICALL Java_Calls_f(JNIEnv *env, jclass k, jfloat a, jdouble b) { return a + (jfloat)b; }
JNIEXPORT jdouble JNICALL Java_Calls_d(JNIEnv *env, jclass k, jfloat a, jdouble b) { return a + b; }
JNIEXPORT jdouble JNICALL Java_Calls_many(JNIEnv *env, jclass k, jbyte a, jshort b, jchar c, jboolean d, jlong e, jint f,
    jfloat g, jdouble h, jlong i, jbyte j, jfloat l, jdouble m, jdouble n, jdouble o, jdouble p, jdouble q, jdouble r, jfloat s) {
    return a + 2. * b + 3. * c + 4. * d + 5. * e + 6. * f + 7 * g + 8 * h + 9. * i + 10. * j + 11 * l + 12 * m + 13 * n + 14 * o
        + 15 * p + 16 * q + 17 * r + 18 * s;
}

JNIEXPORT jint JNICALL Java_Wrapped_00024Plain_number(JNIEnv *env, jclass k, jint n) { return n + 1; }
