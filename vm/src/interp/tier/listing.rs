//! The machine code of a method as it would be compiled now, beside the instructions it is made from.

use super::compile::compile;
use super::space::CodeSpace;
use crate::ids::MethodId;
use crate::interp::table::table;
use crate::interp::tiers_state::CompiledListing;
use crate::throw::R;
use crate::vm::Vm;

impl Vm {
    /// A method's compiled code, and the instructions of its translated code. The method is translated if it is not yet; nothing
    /// else changes. `Ok(None)`: it has no bytecode.
    ///
    /// # Errors
    /// What translation throws.
    pub fn list_compiled(&mut self, id: MethodId) -> R<Option<CompiledListing>> {
        let Some(code) = self.method(id).code().map(|code| code.kept()) else {
            return Ok(None);
        };
        self.translate(id)?;
        let mut listing = CompiledListing {
            method: self.method_name(id),
            bytecode: code.lent().bytes().len(),
            ..CompiledListing::default()
        };
        let place = self.code_place(id, None);
        let table = table();
        let Some(space) = CodeSpace::new(self.options.max_compiled) else {
            listing.problem = Some("the system has no memory for compiled code".into());
            return Ok(Some(listing));
        };
        let x = self.method(id).translated().expect("just translated");
        match compile(x, &table, &space, &place) {
            Err(why) => listing.problem = Some(why.to_string()),
            Ok(compiled) => {
                let texts = x.instruction_texts(&table, code.lent().bytes());
                let places = compiled.places.iter().zip(texts);
                listing.places = places.map(|(&(_, at), text)| (at, text)).collect();
                listing.exits = compiled.exits;
                listing.instructions = compiled.instructions;
                listing.code = compiled.bytes;
            }
        }
        Ok(Some(listing))
    }
}
