//! What a browser shows of reports and comparisons.

use super::{bytes, line, profiles, programs, reader};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// What Chromium makes of a file among the profiles, to which a user's doing is added as a script; none
/// if there is no Chromium. `link` is what follows the file's address.
pub fn browsed(file: &str, link: &str, user: &str) -> Option<String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Relaxed);
    let page = [&bytes(file), user.as_bytes()].concat();
    let path = profiles().join(format!("user{number}.html"));
    std::fs::write(&path, page).expect("a page");
    programs::browsed(&path, link, &profiles().join(format!("chromium{number}")))
}

/// The link of a page whose user has put it into the body's attribute `data-link`.
fn link_of(text: &str) -> String {
    let (_, after) = text.split_once("data-link=\"").expect("a link");
    let (link, _) = after.split_once('"').expect("the attribute ends");
    link.replace("&amp;", "&")
}

#[test]
fn the_link_reports_what_the_report_shows() {
    // Somebody weighs by calls, searches, goes to the first hit, zooms, and sends the link to another.
    let user = "<script>setTimeout(() => {
        const $ = (id) => document.getElementById(id);
        $('metric').value = 1;
        $('metric').dispatchEvent(new Event('change'));
        $('search').value = 'Matcher';
        $('search').dispatchEvent(new Event('input', { bubbles: true }));
        setTimeout(() => $('next').click(), 500);
        const plus = new KeyboardEvent('keydown', { key: '+', bubbles: true });
        setTimeout(() => $('canvas').dispatchEvent(plus), 1000);
        setTimeout(() => document.body.dataset.link = location.hash, 2000);
    }, 1000)</script>";
    let Some(text) = browsed("blocks.html", "", user) else {
        return;
    };
    assert!(text.contains("<title>ThreeBugs</title>"), "{text}");
    assert!(text.contains(">ThreeBugs</h1>"), "{text}");
    let link = link_of(&text);
    for part in ["#metric=calls&search=Matcher&", "&frame=", "&zoom="] {
        assert!(link.contains(part), "{link}");
    }
    let shown = |text: &str| {
        let (_, status) = text.split_once("id=\"status\"").expect("the status");
        let (status, _) = status.split_once("</div>").expect("its end");
        status.to_owned()
    };
    assert!(shown(&text).contains("java.util.regex.Matcher."), "{text}");
    // The other one sees the same: turned upside down, the rest of the link is made again, and going
    // back leads to where it was.
    let user = "<script>setTimeout(() => {
        document.getElementById('flip').click();
        setTimeout(() => {
            document.body.dataset.link = location.hash;
            history.back();
        }, 1000);
    }, 1000)</script>";
    let again = browsed("blocks.html", &link, user).expect("Chromium is still there");
    let turned = link.replace("&search=", "&grow=up&search=");
    assert_eq!(link_of(&again), turned);
    assert_eq!(shown(&again), shown(&text));
    assert!(again.contains("id=\"flip\" class=\"tool\" aria-pressed=\"false\""));
    // A link that means nothing shows everything.
    let user = "<script>setTimeout(() => document.body.dataset.link = '', 1000)</script>";
    let wrong = "#metric=x&tree=x&thread=9&frame=99999999&zoom=9-1&method=x";
    let all = browsed("blocks.html", wrong, user).expect("Chromium is still there");
    assert!(shown(&all).contains("click zooms"), "{all}");
    assert!(all.contains("id=\"busy\" role=\"status\" hidden"), "{all}");
}

#[test]
fn the_link_reports_what_the_comparison_shows() {
    let file = |name: &str| profiles().join(name).display().to_string();
    let (one, page) = (file("exact.rjp"), file("diff.html"));
    let vm = env!("CARGO_BIN_EXE_rjvm");
    reader(vm, &["profile", "diff", &one, &one, "-o", &page]).expect("rjvm is there");
    let user = "<script>setTimeout(() => {
        const colour = document.getElementById('colour');
        colour.value = 's';
        colour.dispatchEvent(new Event('change'));
        document.body.dataset.link = location.hash;
        document.body.dataset.found = document.getElementById('search').value;
    }, 1000)</script>";
    let link = "#width=2&search=contains&context=1";
    let Some(text) = browsed("diff.html", link, user) else {
        return;
    };
    assert!(text.contains("<title>ThreeBugs: "), "{text}");
    assert!(text.contains("<h1>ThreeBugs</h1>"), "{text}");
    assert!(text.contains("data-found=\"contains\""), "{text}");
    assert_eq!(
        link_of(&text),
        "#width=2&colour=s&search=contains&context=1"
    );
}

#[test]
fn a_deep_comparison_is_drawn_where_it_is_looked_at() {
    let (mut path, mut text) = (String::new(), String::new());
    for depth in 0..600 {
        if depth > 0 {
            path.push(';');
        }
        path.push_str(&format!("A.f{depth}()V"));
        text.push_str(&format!("{path}\t1\t5\n"));
    }
    let file = |name: &str| profiles().join(name);
    std::fs::write(file("deep.paths"), text).expect("a profile");
    let name = |file: PathBuf| file.display().to_string();
    let (one, page) = (name(file("deep.paths")), name(file("deep.html")));
    let vm = env!("CARGO_BIN_EXE_rjvm");
    reader(vm, &["profile", "diff", &one, &one, "-o", &page]).expect("rjvm is there");
    // Somebody goes to the end, points at the last row, and clicks on it; each context has 5 bytecodes of its own.
    let user = "<script>setTimeout(() => {
        const $ = (id) => document.getElementById(id), told = document.body.dataset;
        scrollTo(0, 1e6);
        setTimeout(() => {
            const box = $('graph').getBoundingClientRect();
            const at = { clientX: box.left + 0.5, clientY: box.top + 599.5 * 19, bubbles: true };
            $('canvas').dispatchEvent(new MouseEvent('mousemove', at));
            told.note = $('note').textContent;
            told.fits = $('canvas').clientHeight <= innerHeight && at.clientY < innerHeight;
            $('canvas').dispatchEvent(new MouseEvent('click', at));
            told.link = location.hash;
        }, 500);
    }, 1000)</script>";
    let Some(text) = browsed("deep.html", "", user) else {
        return;
    };
    assert!(
        text.contains("data-note=\"A.f599(): total 5 | 5 (no change)"),
        "{text}"
    );
    assert!(text.contains("data-fits=\"true\""), "{text}");
    assert_eq!(link_of(&text), "#context=599");
}

#[test]
fn the_report_shows_the_source() {
    // Somebody searches for a method, chooses it, and opens its file.
    let user = "<script>setTimeout(() => {
        const search = document.getElementById('search');
        search.value = 'ThreeBugs.contains';
        search.dispatchEvent(new Event('input', { bubbles: true }));
        setTimeout(() => document.querySelector('.row').click(), 500);
        setTimeout(() => document.querySelector('#details .link').click(), 1000);
    }, 1000)</script>";
    let Some(text) = browsed("blocks.html", "", user) else {
        return;
    };
    let text = &text[..text.find("id=\"data\"").expect("the data follow")];
    assert!(text.contains("ThreeBugs.java:39</button>"), "{text}");
    let row = format!("<span class=\"number\">{}</span>", line("i < all.size()"));
    assert!(text.contains(&row), "{text}");
    assert!(text.contains(">270,900</span>"), "{text}");
    assert!(text.contains(">invokeinterface InterfaceMethod java/util/List.size:()I</span>"));
    // The whole file, with the lines of its other methods.
    let (_, file) = text
        .split_once("<dialog id=\"source\"")
        .expect("the dialog");
    assert!(file.starts_with(" open"), "{file}");
    assert!(file.contains("compiled for each line"), "{file}");
}

#[test]
fn the_graph_is_drawn_when_its_size_changes() {
    // A browser without a screen reports nobody of sizes: the test does, and looks at once at what the canvas holds.
    let observers = "<script>window.told = [];
        window.ResizeObserver = class {
            constructor(tell) { window.told.push(tell); }
            observe() {}
        };</script><title>";
    let user = "<script>setTimeout(() => {
        const $ = (id) => document.getElementById(id);
        const sizes = ['190px', '330px'].map((height) => {
            $('scroller').style.flex = 'none';
            $('scroller').style.height = height;
            window.told.forEach((tell) => tell());
            const drawn = $('canvas').getContext('2d').getImageData(2, 2, 1, 1).data;
            return `${$('canvas').clientHeight} ${drawn.slice(0, 3).some((part) => part > 0)}`;
        });
        document.body.dataset.sizes = sizes.join();
    }, 1000)</script>";
    let page = String::from_utf8(bytes("exact.html")).expect("text");
    let page = page.replacen("<title>", observers, 1);
    std::fs::write(profiles().join("resized.html"), page).expect("a page");
    let Some(text) = browsed("resized.html", "", user) else {
        return;
    };
    let (_, sizes) = text.split_once("data-sizes=\"").expect("told sizes");
    let (sizes, _) = sizes.split_once('"').expect("the attribute ends");
    assert_eq!(sizes, "190 true,330 true");
}
