//! From the locale variables of the environment to language, country and encoding as Java names
//! them.

use std::collections::BTreeMap;

/// The categories whose locales must exist for any of them to count, those of glibc.
const CATEGORIES: &[&str] = if cfg!(target_os = "linux") {
    &[
        "LC_CTYPE",
        "LC_NUMERIC",
        "LC_TIME",
        "LC_COLLATE",
        "LC_MONETARY",
        "LC_MESSAGES",
        "LC_PAPER",
        "LC_NAME",
        "LC_ADDRESS",
        "LC_TELEPHONE",
        "LC_MEASUREMENT",
        "LC_IDENTIFICATION",
    ]
} else {
    &[
        "LC_CTYPE",
        "LC_NUMERIC",
        "LC_TIME",
        "LC_COLLATE",
        "LC_MONETARY",
        "LC_MESSAGES",
    ]
};

/// The codeset of the locale that every system has.
const ASCII: &str = if cfg!(target_os = "linux") {
    "ANSI_X3.4-1968"
} else {
    "US-ASCII"
};

/// The locales that are installed.
pub trait Locales {
    /// Whether the locale `name` can be used for `category` (for instance `LC_TIME`).
    fn exists(&self, category: &str, name: &str) -> bool;
    /// The character encoding of the locale `name`, as `nl_langinfo(CODESET)` reports it.
    fn codeset(&self, name: &str) -> Option<String>;
}

/// Every locale there could be; the encoding is what its name says.
pub struct ByName;

impl Locales for ByName {
    fn exists(&self, _: &str, _: &str) -> bool {
        true
    }
    fn codeset(&self, name: &str) -> Option<String> {
        let name = name.split('@').next().unwrap_or(name);
        let codeset = match name.split_once('.') {
            Some((_, codeset)) => codeset,
            None if matches!(name, "C" | "POSIX") => ASCII,
            None => "UTF-8",
        };
        Some(codeset.to_string())
    }
}

/// The locale of a process, as `setlocale(LC_ALL, "")` sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocaleSettings {
    /// The locale of characters, which Java takes for formats too.
    pub ctype: String,
    /// The locale of messages, Java's display locale.
    pub messages: String,
    /// The character encoding of `ctype`.
    pub codeset: String,
}

impl Default for LocaleSettings {
    fn default() -> LocaleSettings {
        LocaleSettings {
            ctype: "C".into(),
            messages: "C".into(),
            codeset: ASCII.into(),
        }
    }
}

impl LocaleSettings {
    /// The settings that follow from the environment. If the locale of one category does not
    /// exist, all categories stay at `C`.
    pub fn from_env(env: &BTreeMap<String, String>, installed: &impl Locales) -> LocaleSettings {
        let set = |name: &str| env.get(name).filter(|v| !v.is_empty());
        let name_for = |category: &str| {
            let names = [set("LC_ALL"), set(category), set("LANG")];
            names
                .into_iter()
                .flatten()
                .next()
                .map_or("C", String::as_str)
        };
        let all_exist = CATEGORIES.iter().all(|c| installed.exists(c, name_for(c)));
        let ctype = name_for("LC_CTYPE");
        match installed.codeset(ctype) {
            Some(codeset) if all_exist => LocaleSettings {
                ctype: ctype.to_string(),
                messages: name_for("LC_MESSAGES").to_string(),
                codeset,
            },
            _ => LocaleSettings::default(),
        }
    }

    /// The locale of displayed text (`user.language` and its like).
    pub fn display(&self) -> JavaLocale {
        JavaLocale::of(&self.messages)
    }

    /// The locale of formats (`user.language.format` and its like).
    pub fn format(&self) -> JavaLocale {
        JavaLocale::of(&self.ctype)
    }

    /// The encoding's name for Java.
    pub fn encoding(&self) -> String {
        let name = match self.codeset.as_str() {
            "" => "ISO8859-1",
            "646" => "ISO646-US",
            // The converter that suits Linux's idea of this encoding.
            "EUC-JP" if cfg!(target_os = "linux") => "EUC-JP-LINUX",
            other => other,
        };
        name.to_string()
    }
}

/// The parts of a locale as Java spells them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JavaLocale {
    /// ISO 639 code.
    pub language: String,
    /// ISO 3166 code.
    pub country: Option<String>,
    /// ISO 15924 code.
    pub script: Option<String>,
    /// A variant that Java knows.
    pub variant: Option<String>,
}

impl JavaLocale {
    /// The parts of a POSIX locale name: `language_country.encoding@modifier`.
    pub fn of(name: &str) -> JavaLocale {
        let name = match name {
            "C" | "POSIX" => "en_US",
            other => other,
        };
        let (name, modifier) = match name.split_once('@') {
            Some((name, modifier)) => (name, Some(modifier)),
            None => (name, None),
        };
        let name = name.split('.').next().unwrap_or(name);
        let name = look_up(ALIASES, name).unwrap_or(name);
        let (language, country) = match name.split_once('_') {
            Some((language, country)) => (language, Some(country)),
            None => (name, None),
        };
        let owned = |s: &str| s.to_string();
        JavaLocale {
            language: owned(look_up(LANGUAGES, language).unwrap_or(language)),
            country: country.map(|c| owned(look_up(COUNTRIES, c).unwrap_or(c))),
            script: modifier.and_then(|m| look_up(SCRIPTS, m)).map(owned),
            variant: modifier.and_then(|m| look_up(VARIANTS, m)).map(owned),
        }
    }
}

type NameTable = &'static [(&'static str, &'static str)];

fn look_up(table: NameTable, key: &str) -> Option<&'static str> {
    table.iter().find(|(k, _)| *k == key).map(|(_, v)| *v)
}

/// Locale names without a country, and old ones, with the locale they represent.
#[rustfmt::skip]
const ALIASES: NameTable = &[
    ("ar", "ar_EG"), ("be", "be_BY"), ("bg", "bg_BG"), ("br", "br_FR"), ("ca", "ca_ES"),
    ("cs", "cs_CZ"), ("cz", "cs_CZ"), ("da", "da_DK"), ("de", "de_DE"), ("el", "el_GR"),
    ("en", "en_US"), ("eo", "eo"), ("es", "es_ES"), ("et", "et_EE"), ("eu", "eu_ES"),
    ("fi", "fi_FI"), ("fr", "fr_FR"), ("ga", "ga_IE"), ("gl", "gl_ES"), ("he", "iw_IL"),
    ("hr", "hr_HR"), ("hs", "en_US"), ("hu", "hu_HU"), ("id", "in_ID"), ("in", "in_ID"),
    ("is", "is_IS"), ("it", "it_IT"), ("iw", "iw_IL"), ("ja", "ja_JP"), ("kl", "kl_GL"),
    ("ko", "ko_KR"), ("lt", "lt_LT"), ("lv", "lv_LV"), ("mk", "mk_MK"), ("nl", "nl_NL"),
    ("no", "no_NO"), ("pl", "pl_PL"), ("pt", "pt_PT"), ("ro", "ro_RO"), ("ru", "ru_RU"),
    ("se", "se_NO"), ("sk", "sk_SK"), ("sl", "sl_SI"), ("sq", "sq_AL"), ("sr", "sr_CS"),
    ("su", "fi_FI"), ("sv", "sv_SE"), ("th", "th_TH"), ("tr", "tr_TR"), ("ua", "en_US"),
    ("uk", "uk_UA"), ("vi", "vi_VN"), ("wa", "wa_BE"), ("zh", "zh_CN"),
    ("bokmal", "nb_NO"), ("catalan", "ca_ES"), ("croatian", "hr_HR"), ("czech", "cs_CZ"),
    ("danish", "da_DK"), ("dansk", "da_DK"), ("deutsch", "de_DE"), ("dutch", "nl_NL"),
    ("eesti", "et_EE"), ("estonian", "et_EE"), ("finnish", "fi_FI"), ("french", "fr_FR"),
    ("galego", "gl_ES"), ("galician", "gl_ES"), ("german", "de_DE"), ("greek", "el_GR"),
    ("hebrew", "iw_IL"), ("hrvatski", "hr_HR"), ("hungarian", "hu_HU"),
    ("icelandic", "is_IS"), ("italian", "it_IT"), ("japanese", "ja_JP"),
    ("korean", "ko_KR"), ("lithuanian", "lt_LT"), ("norwegian", "no_NO"),
    ("nynorsk", "nn_NO"), ("polish", "pl_PL"), ("portuguese", "pt_PT"),
    ("romanian", "ro_RO"), ("russian", "ru_RU"), ("slovak", "sk_SK"), ("slovene", "sl_SI"),
    ("slovenian", "sl_SI"), ("spanish", "es_ES"), ("swedish", "sv_SE"), ("thai", "th_TH"),
    ("turkish", "tr_TR"),
];

/// Languages with a different code in Java 17.
#[rustfmt::skip]
const LANGUAGES: NameTable = &[
    ("C", "en"), ("POSIX", "en"), ("cz", "cs"), ("he", "iw"), ("hs", "en"), ("id", "in"),
    ("sh", "sr"), ("su", "fi"), ("ua", "en"),
    ("catalan", "ca"), ("croatian", "hr"), ("czech", "cs"), ("danish", "da"),
    ("dansk", "da"), ("deutsch", "de"), ("dutch", "nl"), ("finnish", "fi"),
    ("french", "fr"), ("german", "de"), ("greek", "el"), ("hebrew", "he"),
    ("hrvatski", "hr"), ("hungarian", "hu"), ("icelandic", "is"), ("italian", "it"),
    ("japanese", "ja"), ("norwegian", "no"), ("polish", "pl"), ("portuguese", "pt"),
    ("romanian", "ro"), ("russian", "ru"), ("slovak", "sk"), ("slovene", "sl"),
    ("slovenian", "sl"), ("spanish", "es"), ("swedish", "sv"), ("turkish", "tr"),
];

const COUNTRIES: NameTable = &[("RN", "US"), ("YU", "CS")];

const VARIANTS: NameTable = &[("nynorsk", "NY")];

#[rustfmt::skip]
const SCRIPTS: NameTable = &[
    ("cyrillic", "Cyrl"), ("devanagari", "Deva"), ("iqtelif", "Latn"), ("latin", "Latn"),
    ("Arab", "Arab"), ("Cyrl", "Cyrl"), ("Deva", "Deva"), ("Ethi", "Ethi"),
    ("Hans", "Hans"), ("Hant", "Hant"), ("Latn", "Latn"), ("Sund", "Sund"),
    ("Syrc", "Syrc"), ("Tfng", "Tfng"),
];
