/* What JDK 21 has brought: an older table ends before it. */
#include <jni.h>

typedef jboolean (JNICALL *IsVirtual)(JNIEnv *, jobject);

JNIEXPORT jboolean JNICALL Java_Virtual_virtual(JNIEnv *env, jclass k, jobject o) {
    return ((IsVirtual)((void **)*env)[234])(env, o);
}
