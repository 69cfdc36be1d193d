//! The source files that a `SourceDebugExtension` (JSR 45) names.

/// The names of all strata. A section of files begins with `*F`; its entries are `N NAME`, or `+ N NAME` before a line with the path.
pub(super) fn mapped_sources(map: &str) -> impl Iterator<Item = &str> {
    let (mut within, mut path_follows) = (false, false);
    map.lines().filter_map(move |line| {
        if std::mem::take(&mut path_follows) {
            return None;
        }
        if let Some(section) = line.strip_prefix('*') {
            within = section.starts_with('F');
            return None;
        }
        if !within {
            return None;
        }
        let entry = line.strip_prefix('+');
        path_follows = entry.is_some();
        let (_, name) = entry
            .unwrap_or(line)
            .trim()
            .split_once(char::is_whitespace)?;
        Some(name.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::mapped_sources;

    fn names(map: &str) -> Vec<&str> {
        mapped_sources(map).collect()
    }

    #[test]
    fn all_files_of_all_strata_are_found() {
        let map = "SMAP\nHi.java\nJSP\n*S JSP\n*F\n+ 0 a.jsp\npages/a.jsp\n1 b c.jsp\n*L\n1#0,3:5\n*S Other\n*F\n1 d.x\n*L\n1#1:1\n*E\n";
        assert_eq!(names(map), ["a.jsp", "b c.jsp", "d.x"]);
    }

    #[test]
    fn what_is_no_map_names_none() {
        assert!(names("").is_empty());
        assert!(names("SMAP\n1 a\n*F\nalone\n+\n2 path\n").is_empty());
    }
}
