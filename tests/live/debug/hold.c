/* Shop.enter: a monitor that no frame has entered. */
#include <jni.h>

JNIEXPORT void JNICALL Java_Shop_enter(JNIEnv *env, jclass shop, jobject held, jobject of) {
    jmethodID locked = (*env)->GetMethodID(env, shop, "locked", "()V");
    if (locked == NULL || (*env)->MonitorEnter(env, held) != JNI_OK) {
        return;
    }
    (*env)->CallVoidMethod(env, of, locked);
    (*env)->MonitorExit(env, held);
}
