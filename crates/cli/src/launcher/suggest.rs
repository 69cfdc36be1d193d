//! What a mistyped word was meant to be.

/// How much alike two words must be, between 0 and 1: the threshold that clap uses for subcommands.
const ALIKE: f64 = 0.7;

/// How much alike two words are that one slip of the finger makes of each other.
const SLIP: f64 = 0.75;

/// The one of `all` whose name is most like `word`, if it is like it at all; of equals the first.
pub fn nearest<'a, T>(
    word: &str,
    all: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> &'a str,
) -> Option<T> {
    let mut best: Option<(f64, T)> = None;
    for item in all {
        let pairs = strsim::sorensen_dice(word, name(&item));
        // short words have few pairs of letters: one that is wrong, missing, or two exchanged
        let slip = word.len() > 2 && strsim::osa_distance(word, name(&item)) == 1;
        let alike = if slip { pairs.max(SLIP) } else { pairs };
        if alike > best.as_ref().map_or(ALIKE, |b| b.0) {
            best = Some((alike, item));
        }
    }
    best.map(|b| b.1)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_word_is_found_and_a_strange_one_is_not() {
        let words = ["profile", "dis", "--sample-gran", "--sample-output"];
        let of = |word| nearest(word, words, |w| w);
        assert_eq!(of("profil"), Some("profile"));
        assert_eq!(of("--sample-grain"), Some("--sample-gran"));
        assert_eq!(of("--sampleoutput"), Some("--sample-output"));
        assert_eq!(nearest("tpo", ["tree", "top"], |w| w), Some("top"));
        assert_eq!(of("Main"), None);
        assert_eq!(of(""), None);
    }
}
