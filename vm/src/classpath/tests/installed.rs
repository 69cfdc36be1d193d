//! The modules of the installed JDK, in their three forms.

use super::{TempFolder, jdk};
use crate::classpath::{BootPath, ClassOrigin, Jimage, SeparateModules, SystemModules};
use std::process::Command;

const OBJECT: &str = "java/lang/Object.class";

#[test]
fn the_image() {
    let jdk = jdk();
    let system = SystemModules::open(&jdk).unwrap();
    let object = system.find("java.base", OBJECT).unwrap().unwrap();
    assert!(object.starts_with(&[0xCA, 0xFE, 0xBA, 0xBE]));
    assert!(system.find("java.base", "no/Such.class").unwrap().is_none());
    assert!(system.find("java.xml", OBJECT).unwrap().is_none());
    let module = |package| system.module_of_package(package).unwrap();
    assert_eq!(module("java/lang"), Some("java.base"));
    assert_eq!(module("com/sun/tools"), None);
    assert_eq!(module("com/sun/tools/javac/api"), Some("jdk.compiler"));
    assert_eq!(module("no/such"), None);
    let mut listed: Vec<&str> = jdk.modules().collect();
    listed.sort();
    assert_eq!(system.modules().unwrap(), listed);
    let base = system.packages("java.base").unwrap();
    assert!(base.iter().any(|p| p == "java/util/concurrent"));
    assert!(!base.iter().any(|p| p == "java"));
    assert!(base.is_sorted());
    let resources = system.resources("java.base").unwrap();
    assert!(resources.iter().any(|r| r == OBJECT));
}

#[test]
fn every_resource_is_found_by_its_name() {
    let image = Jimage::open(jdk().home().join("lib/modules")).unwrap();
    for resource in image.resources() {
        let r = resource.unwrap();
        assert!(image.find(r.module, &r.path).unwrap().is_some(), "{r:?}");
    }
}

#[test]
fn jmods_and_an_exploded_build_have_what_the_image_has() {
    let jdk = jdk();
    let image = SystemModules::open(&jdk).unwrap();
    let temp = TempFolder::new("forms");
    let module = "java.logging";
    let logger = "java/util/logging/Logger.class";
    for name in image.resources(module).unwrap() {
        let bytes = image.find(module, &name).unwrap().unwrap();
        temp.write(&format!("modules/{module}/{name}"), bytes);
    }
    temp.write(&format!("modules/java.base/{OBJECT}"), b"stand-in");
    let exploded = SystemModules::open_home(&temp.path("")).unwrap();
    let jmods = SeparateModules::jmods(&jdk.home().join("jmods")).unwrap();
    let jmods = SystemModules::Separate(jmods);
    assert_eq!(jmods.modules().unwrap(), image.modules().unwrap());
    assert_eq!(exploded.modules().unwrap(), ["java.base", module]);
    for other in [&exploded, &jmods] {
        assert_eq!(
            other.find(module, logger).unwrap().unwrap(),
            image.find(module, logger).unwrap().unwrap()
        );
        assert!(other.find(module, OBJECT).unwrap().is_none());
        assert_eq!(
            other.module_of_package("java/util/logging").unwrap(),
            Some(module)
        );
        assert_eq!(
            other.packages(module).unwrap(),
            image.packages(module).unwrap()
        );
        let mut names = other.resources(module).unwrap();
        let mut expected = image.resources(module).unwrap();
        names.sort();
        expected.sort();
        assert_eq!(names, expected);
    }
}

/// What the JDK's own linker writes with its two compressions reads back as the original.
#[test]
fn compressed_images_of_jlink() {
    let jdk = jdk();
    let original = Jimage::open(jdk.home().join("lib/modules")).unwrap();
    let temp = TempFolder::new("jlink");
    for level in ["1", "2"] {
        let out = temp.path(level);
        let jlink = Command::new(jdk.home().join("bin/jlink"))
            .arg("--module-path")
            .arg(jdk.home().join("jmods"))
            .args(["--add-modules", "java.base", "--output"])
            .arg(&out)
            .arg(format!("--compress={level}:filter=/java.base/java/util/*"))
            .output()
            .unwrap();
        assert!(jlink.status.success(), "{jlink:?}");
        let image = Jimage::open(out.join("lib/modules")).unwrap();
        let mut compared = 0;
        for name in image.resources_of("java.base") {
            let name = name.unwrap();
            if name.starts_with("java/util/") {
                let expected = original.find("java.base", &name).unwrap().unwrap();
                assert_eq!(image.find("java.base", &name).unwrap().unwrap(), expected);
                compared += 1;
            }
        }
        assert!(compared > 500, "{compared}");
    }
}

#[test]
fn the_boot_path() {
    let temp = TempFolder::new("boot");
    let mut boot = BootPath::new(SystemModules::open(&jdk()).unwrap());
    temp.write("patch/java/lang/Object.class", b"patched");
    temp.write("patch/java/lang/Extra.class", b"new class");
    temp.write("patch/extra/New.class", b"new package");
    temp.write("patch/module-info.class", b"ignored");
    temp.write("appended/java/lang/String.class", b"hidden by the module");
    let jar = temp.zip(
        "appended.jar",
        b"",
        &[("agent/A.class", b"a"), ("NoPackage.class", b"n")],
    );
    let patch = temp.path("patch");
    let spec = format!(
        "java.base={}:{}",
        patch.display(),
        temp.path("none").display()
    );
    boot.patch(&spec);
    // nonsense and a second value change nothing
    boot.patch("java.base");
    boot.patch("java.base=nowhere");
    boot.append(&format!(
        "{}:{}",
        temp.path("appended").display(),
        jar.display()
    ));

    let find = |name| {
        let class = boot.find(name).unwrap()?;
        Some((class.bytes.into_owned(), class.module, class.origin))
    };
    let (base, patch) = (Some("java.base"), ClassOrigin::Path(&patch));
    assert_eq!(
        find("java/lang/Object"),
        Some((b"patched".into(), base, patch))
    );
    assert_eq!(
        find("java/lang/Extra"),
        Some((b"new class".into(), base, patch))
    );
    assert_eq!(
        find("extra/New"),
        Some((b"new package".into(), base, patch))
    );
    let (bytes, module, origin) = find("java/lang/String").unwrap();
    assert!(bytes.starts_with(&[0xCA, 0xFE]));
    assert_eq!((module, origin), (base, ClassOrigin::Module("java.base")));
    assert_eq!(origin.to_string(), "jrt:/java.base");
    assert_eq!(
        find("agent/A"),
        Some((b"a".into(), None, ClassOrigin::Path(&jar)))
    );
    assert_eq!(
        find("NoPackage"),
        Some((b"n".into(), None, ClassOrigin::Path(&jar)))
    );
    assert_eq!(find("no/Such"), None);
    let info = boot
        .find_in_module("java.base", "module-info.class")
        .unwrap();
    assert_eq!(info.unwrap().1, ClassOrigin::Module("java.base"));
    assert!(boot.problems().is_empty());

    let broken = temp.write("broken.jar", b"no zip");
    boot.append(&broken.display().to_string());
    assert!(
        boot.problems()[0]
            .to_string()
            .contains("broken.jar is not a valid jar file")
    );
    boot.patch(&format!("java.sql={}", broken.display()));
    assert_eq!(boot.problems().len(), 2);
}
