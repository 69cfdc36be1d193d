//! Tests on the installed JDK and on broken files.

use super::*;

fn jdk() -> Jdk {
    Search::usual(None, |name| std::env::var_os(name))
        .find()
        .expect("these tests need a JDK")
}

#[test]
fn the_image_of_the_installed_jdk() {
    let system = SystemModules::open(&jdk()).unwrap();
    let image = system.image().expect("an installed JDK has lib/modules");
    let object = image
        .find("java.base", "java/lang/Object.class")
        .unwrap()
        .unwrap();
    assert!(object.starts_with(&[0xCA, 0xFE, 0xBA, 0xBE]));
    assert!(image.find("java.base", "no/Such.class").unwrap().is_none());
    assert!(
        image
            .find("java.xml", "java/lang/Object.class")
            .unwrap()
            .is_none()
    );
    assert_eq!(
        image.module_of_package("java/lang").unwrap(),
        Some("java.base")
    );
    assert_eq!(
        image.module_of_package("com/sun/tools/javac").unwrap(),
        Some("jdk.compiler")
    );
    assert_eq!(image.module_of_package("no/such").unwrap(), None);
    let mut modules: Vec<&str> = image.modules().unwrap().collect();
    let jdk = jdk();
    let mut listed: Vec<&str> = jdk.modules().collect();
    modules.sort();
    listed.sort();
    assert_eq!(modules, listed);
    for module in modules {
        eprintln!("{module} {}", image.packages(module).unwrap().len());
    }
    // Every resource is found again by its name.
    let mut count = 0;
    for resource in image.resources() {
        let r = resource.unwrap();
        assert!(image.find(r.module, &r.path).unwrap().is_some(), "{r:?}");
        count += 1;
    }
    eprintln!("{count} resources");
}
