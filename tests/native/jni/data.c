/* Fields, strings, arrays and direct buffers. */
#include <jni.h>
#include <stdio.h>
#include <string.h>

#define FIELD(Type, T, sig, change) \
    { jfieldID f = (*env)->GetFieldID(env, c, "f" #Type, sig); T v = (*env)->Get##Type##Field(env, o, f); \
      (*env)->Set##Type##Field(env, o, f, change); \
      f = (*env)->GetStaticFieldID(env, c, "s" #Type, sig); v = (*env)->GetStatic##Type##Field(env, c, f); \
      (*env)->SetStatic##Type##Field(env, c, f, change); }

JNIEXPORT void JNICALL Java_Data_change(JNIEnv *env, jclass k, jobject o) {
    jclass c = (*env)->GetObjectClass(env, o);
    FIELD(Boolean, jboolean, "Z", !v) FIELD(Byte, jbyte, "B", v - 1) FIELD(Char, jchar, "C", v + 1) FIELD(Short, jshort, "S", -v)
    FIELD(Int, jint, "I", v * 3) FIELD(Long, jlong, "J", v << 33) FIELD(Float, jfloat, "F", v / 2) FIELD(Double, jdouble, "D", v * v)
    FIELD(Object, jobject, "Ljava/lang/Object;", v ? (*env)->GetObjectClass(env, v) : o)
}

JNIEXPORT jlong JNICALL Java_Data_inherited(JNIEnv *env, jclass k, jobject o, jclass c) {
    jfieldID f = (*env)->GetFieldID(env, (*env)->GetObjectClass(env, o), "fLong", "J");
    jfieldID g = (*env)->GetStaticFieldID(env, c, "sLong", "J");
    return (*env)->GetLongField(env, o, f) + (*env)->GetStaticLongField(env, c, g);
}

JNIEXPORT jstring JNICALL Java_Data_string(JNIEnv *env, jclass k, jstring s) {
    jboolean copy = 2;
    char text[4096]; int n = 0;
    jsize len = (*env)->GetStringLength(env, s), utf = (*env)->GetStringUTFLength(env, s);
    n += sprintf(text + n, "%d %d:", len, utf);
    const jchar *u = (*env)->GetStringChars(env, s, &copy);
    for (jsize i = 0; i < len; i++) n += sprintf(text + n, " %x", u[i]);
    jstring again = (*env)->NewString(env, u, len);
    (*env)->ReleaseStringChars(env, s, u);
    u = (*env)->GetStringCritical(env, s, NULL);
    unsigned sum = 0;
    for (jsize i = 0; i < len; i++) sum = sum * 31 + u[i];
    (*env)->ReleaseStringCritical(env, s, u);
    const char *c = (*env)->GetStringUTFChars(env, s, NULL);
    n += sprintf(text + n, " | %x %d %d |", sum, copy == 0 || copy == 1, (int)strlen(c) == utf);
    for (int i = 0; i < utf; i++) n += sprintf(text + n, " %x", (unsigned char)c[i]);
    jstring third = (*env)->NewStringUTF(env, c);
    (*env)->ReleaseStringUTFChars(env, s, c);
    if (len >= 2) {
        jchar part[2]; char bytes[16];
        (*env)->GetStringRegion(env, s, 1, len - 1 > 2 ? 2 : len - 1, part);
        (*env)->GetStringUTFRegion(env, s, 0, 2, bytes);
        n += sprintf(text + n, " | %x %d", part[0], (int)strlen(bytes));
    }
    jmethodID equals = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, s), "equals", "(Ljava/lang/Object;)Z");
    sprintf(text + n, " | %d %d", (*env)->CallBooleanMethod(env, again, equals, s), (*env)->CallBooleanMethod(env, third, equals, s));
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Java_Data_unmade(JNIEnv *env, jclass k) {
    jstring s = (*env)->AllocObject(env, (*env)->FindClass(env, "java/lang/String"));
    const jchar *u = (*env)->GetStringChars(env, s, NULL);
    const char *c = (*env)->GetStringUTFChars(env, s, NULL);
    jint some = (u != NULL) + (c != NULL) + (*env)->GetStringLength(env, s) + (*env)->GetStringUTFLength(env, s);
    (*env)->ReleaseStringChars(env, s, u);
    (*env)->ReleaseStringUTFChars(env, s, c);
    return some;
}

JNIEXPORT void JNICALL Java_Data_region(JNIEnv *env, jclass k, jstring s, jint start, jint len) {
    jchar part[64];
    (*env)->GetStringRegion(env, s, start, len, part);
}

JNIEXPORT void JNICALL Java_Data_utfRegion(JNIEnv *env, jclass k, jstring s, jint start, jint len) {
    char part[256];
    (*env)->GetStringUTFRegion(env, s, start, len, part);
}

#define ARRAY(Type, T) { \
    T##Array a = (*env)->New##Type##Array(env, 5); T r[5]; jboolean copy; \
    for (int i = 0; i < 5; i++) r[i] = (T)(i * 3 - 2); \
    (*env)->Set##Type##ArrayRegion(env, a, 1, 3, r + 1); \
    (*env)->Get##Type##ArrayRegion(env, a, 0, 5, r); \
    T *e = (*env)->Get##Type##ArrayElements(env, a, &copy); \
    e[0] = r[2]; (*env)->Release##Type##ArrayElements(env, a, e, JNI_COMMIT); \
    e[4] = r[1]; (*env)->Release##Type##ArrayElements(env, a, e, 0); \
    e = (*env)->Get##Type##ArrayElements(env, a, NULL); \
    (*env)->Release##Type##ArrayElements(env, a, e, JNI_ABORT); \
    e = (*env)->GetPrimitiveArrayCritical(env, a, NULL); T t = e[2]; e[2] = e[3]; e[3] = t; \
    (*env)->ReleasePrimitiveArrayCritical(env, a, e, 0); \
    (*env)->SetObjectArrayElement(env, all, n++, a); }

JNIEXPORT jobjectArray JNICALL Java_Data_arrays(JNIEnv *env, jclass k) {
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    jobjectArray all = (*env)->NewObjectArray(env, 9, object, NULL);
    int n = 0;
    ARRAY(Boolean, jboolean) ARRAY(Byte, jbyte) ARRAY(Char, jchar) ARRAY(Short, jshort)
    ARRAY(Int, jint) ARRAY(Long, jlong) ARRAY(Float, jfloat) ARRAY(Double, jdouble)
    jclass strings = (*env)->FindClass(env, "[Ljava/lang/String;");
    jclass string = (*env)->FindClass(env, "java/lang/String");
    jobjectArray two = (*env)->NewObjectArray(env, 2, strings, (*env)->NewObjectArray(env, 1, string, (*env)->NewStringUTF(env, "in")));
    (*env)->SetObjectArrayElement(env, all, n, two);
    return all;
}

JNIEXPORT jint JNICALL Java_Data_array(JNIEnv *env, jclass k, jint what, jarray a, jint x, jint y) {
    jint part[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    switch (what) {
    case 0: return (*env)->GetArrayLength(env, a);
    case 1: (*env)->GetIntArrayRegion(env, a, x, y, part); return part[0];
    case 2: (*env)->SetIntArrayRegion(env, a, x, y, part); return 0;
    case 3: return (*env)->GetObjectArrayElement(env, a, x) != NULL;
    case 4: (*env)->SetObjectArrayElement(env, a, x, k); return 0;
    case 5: return (*env)->NewIntArray(env, x) != NULL;
    default: return (*env)->NewObjectArray(env, x, k, NULL) != NULL;
    }
}

static char memory[64];

JNIEXPORT jobject JNICALL Java_Data_buffer(JNIEnv *env, jclass k) {
    strcpy(memory, "native memory");
    return (*env)->NewDirectByteBuffer(env, memory, sizeof memory);
}

JNIEXPORT jstring JNICALL Java_Data_memory(JNIEnv *env, jclass k) { return (*env)->NewStringUTF(env, memory); }

JNIEXPORT jlong JNICALL Java_Data_look(JNIEnv *env, jclass k, jobject b) {
    unsigned char *p = (*env)->GetDirectBufferAddress(env, b);
    jlong n = (*env)->GetDirectBufferCapacity(env, b);
    if (!p) return n;
    jlong sum = 0;
    for (jlong i = 0; i < n; i++) { sum = sum * 7 + p[i]; p[i] ^= 1; }
    return sum;
}
