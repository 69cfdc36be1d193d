//! `--tier-fault`: makes compiled code wrong, so that tests see that `--tier=verify` finds it. It is not an option for users.

use super::config::Config;
use super::option::OptionProblem;
use super::values::own;
use rjvm_vm::vm::{TierCheck, TierFault};

/// `value@METHOD` or `count@METHOD`: the methods whose names begin like that.
pub fn set(config: &mut Config, value: &str) -> Result<(), OptionProblem> {
    let fault = match value.split_once('@') {
        Some(("value", method)) => (TierFault::Value, method.to_owned()),
        Some(("count", method)) => (TierFault::Count, method.to_owned()),
        _ => {
            return own(format!(
                "--tier-fault={value}: value@METHOD or count@METHOD"
            ));
        }
    };
    let check = &mut config.vm.tier_check;
    check.get_or_insert_with(TierCheck::default).fault = Some(fault);
    Ok(())
}
