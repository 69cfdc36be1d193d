//! The kit of all HTML pages that rjvm writes or serves: colours, themes, the look of controls and tables (`kit.css`), widgets
//! (`kit.js`), the head of a page, and text as a page may hold it. A page adds only the rules and scripts that it alone needs.

#![forbid(unsafe_code)]

use std::fmt::{self, Display, Formatter, Write};

/// Styles that each page begins with.
pub const STYLE: &str = include_str!("kit.css");
/// Scripts that each page begins with: `$`, `make` and `kit`.
pub const SCRIPT: &str = include_str!("kit.js");

/// A page up to its body: language, title, viewport, the kit's styles and the page's own.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The title as plain text.
    pub title: &'a str,
    /// Rules of this page alone.
    pub style: &'a str,
    /// Whether the page may request data from the server that it comes from, and show pages inside itself.
    pub connects: bool,
}

impl Display for Head<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
        if !self.connects {
            f.write_str(
                "<meta http-equiv=\"Content-Security-Policy\" \
                 content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
            )?;
        }
        f.write_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")?;
        f.write_str("<meta name=\"color-scheme\" content=\"light dark\">\n")?;
        writeln!(f, "<title>{}</title>", Escaped(self.title))?;
        writeln!(
            f,
            "<style>\n{STYLE}\n/* this page */\n{}</style>\n</head>",
            self.style
        )
    }
}

/// The element with the kit's scripts and the page's own, in one scope: their declarations are not global.
#[derive(Clone, Copy, Debug)]
pub struct Scripts<'a>(pub &'a [&'a str]);

impl Display for Scripts<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("<script>\n(() => {\n\"use strict\";\n")?;
        f.write_str(SCRIPT)?;
        f.write_str("\n// this page\n")?;
        for script in self.0 {
            f.write_str(script)?;
        }
        f.write_str("})();\n</script>")
    }
}

/// A button that switches between the light and the dark theme.
pub const THEME_BUTTON: &str = "<button id=\"theme\" class=\"icon\" type=\"button\" title=\"Light or dark (t)\" \
     aria-label=\"Light or dark\">\u{25d0}</button>";

/// Text as character data or as the value of an attribute.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a colour of six digits, from 0 to 1.
    fn parts(colour: &str) -> [f64; 3] {
        let digits = colour.strip_prefix('#').expect("a colour");
        assert_eq!(digits.len(), 6, "{colour}");
        [0, 2, 4].map(|i| {
            let part = u8::from_str_radix(&digits[i..i + 2], 16).expect("two digits");
            f64::from(part) / 255.0
        })
    }

    /// Relative luminance by WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let [r, g, b] = parts(colour).map(|c| match c <= 0.040_45 {
            true => c / 12.92,
            false => ((c + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// The light and the dark value of a colour of the kit.
    fn themed(name: &str) -> [&'static str; 2] {
        let start = format!("--{name}: light-dark(");
        let (_, rest) = STYLE.split_once(&start).expect("a themed colour");
        let (both, _) = rest.split_once(')').expect("it ends");
        let (light, dark) = both.split_once(", ").expect("two colours");
        [light, dark]
    }

    #[test]
    fn text_stands_out_in_both_themes() {
        let grounds = ["paper", "panel", "hover"];
        let mut pairs = Vec::new();
        for ink in ["ink", "soft", "faint", "accent", "hit", "good", "bad"] {
            pairs.extend(grounds.map(|ground| (ink, ground)));
        }
        for thread in ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"] {
            pairs.push((thread, "panel"));
        }
        pairs.extend([
            ("ink", "accent-soft"),
            ("accent", "accent-soft"),
            ("hit", "hit-soft"),
        ]);
        let mut weak = Vec::new();
        for (ink, ground) in pairs {
            for theme in [0, 1] {
                let a = luminance(themed(ink)[theme]) + 0.05;
                let b = luminance(themed(ground)[theme]) + 0.05;
                let contrast = if a > b { a / b } else { b / a };
                if contrast < 4.5 {
                    weak.push(format!("{ink} on {ground}, theme {theme}: {contrast:.2}"));
                }
            }
        }
        assert!(weak.is_empty(), "{weak:#?}");
    }

    #[test]
    fn a_page_holds_the_kit_once_and_its_text_escaped() {
        let head = Head {
            title: "a<b & \"c\"",
            style: ".own { color: red; }\n",
            connects: false,
        };
        let page = format!("{head}{}", Scripts(&["const own = 1;\n"]));
        for part in [STYLE, SCRIPT] {
            assert_eq!(page.matches(part).count(), 1);
        }
        assert!(page.contains("<title>a&lt;b &amp; &quot;c&quot;</title>"));
        assert!(page.contains("default-src 'none'"));
        // what would end an element, or be a place to fill
        for text in [STYLE, SCRIPT] {
            assert!(!text.contains("</s") && !text.contains("{{"));
        }
    }
}
