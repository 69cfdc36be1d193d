//! Compiles a method's translated code: a template after the other, in its order.

use super::asm::{RDI, RDX, at};
use super::space::{Piece, Space};
use super::template::{Ins, LOAD_CONTEXT, Maker, NODE, Rdi};
use crate::interp::instruction::{CALLS, ENDS, Op, Table};
use crate::interp::translate::{Entry, Translated};
use std::sync::{Arc, Mutex};

/// Bytes of translated code of the largest method that is compiled.
const LARGEST: usize = 256 << 10;

/// A method's compiled code.
pub(in crate::interp) struct Compiled {
    pub entries: Vec<Entry>,
    pub piece: Piece,
    /// Instructions with a template, and all.
    pub instructions: (usize, usize),
}

/// Marks where control may come from elsewhere, and where compiled code is entered.
fn mark(x: &Translated, all: &mut [Ins<'_>]) {
    let mut targets = x.landings();
    for ins in all.iter() {
        if let Some(insn) = ins.insn {
            let edges = insn.edges(ins.words).into_iter();
            targets.extend(edges.map(|half| {
                let offset = (ins.words[half / 2] >> (half % 2 * 32)) as i32;
                ins.off.wrapping_add_signed(offset)
            }));
        }
    }
    targets.sort_unstable();
    let mut entered = true;
    for ins in all {
        ins.target = targets.binary_search(&ins.off).is_ok();
        ins.entry = ins.target || entered;
        // where control comes back after what was left to a handler
        entered = ins.insn.is_none_or(|i| {
            let often = matches!(
                i.op,
                Op::Other | Op::CheckCast | Op::InstanceOf | Op::Store(b'L')
            );
            often || i.does & CALLS != 0
        });
    }
}

/// Compiles it. `None`: nothing is gained, or there is no room. `base` is where the region begins; `contexts`:
/// whether they are recorded; `mirror`: the class's, for a static method.
pub(in crate::interp) fn compile(
    x: &Translated,
    table: &Table,
    space: &Arc<Mutex<Space>>,
    base: u64,
    contexts: bool,
    mirror: Option<u32>,
) -> Option<Compiled> {
    if x.words_of_code().len() * 8 > LARGEST {
        return None;
    }
    let mut all: Vec<Ins<'_>> = Vec::new();
    for off in x.offsets() {
        let handler = x.own_word(off);
        all.push(Ins {
            off,
            insn: table.find(handler),
            words: &x.words_of_code()[off as usize / 8..],
            handler,
            target: false,
            entry: false,
        });
    }
    mark(x, &mut all);
    let code = contexts.then(|| Space::whole(space));
    let mut m = Maker::new(&all, x.start() as u64, base, code);
    m.mirror = mirror;
    for (i, x) in all.iter().enumerate() {
        m.i = i;
        let label = m.labels[i];
        m.a.bind(label);
        if x.entry {
            m.forget();
        }
        if i == 0 && contexts {
            m.a.load(true, RDI, at(RDX, NODE));
            assert_eq!(m.a.here(), LOAD_CONTEXT as u32);
            m.rdi = Rdi::Context;
        }
        m.compiled[i] = m.template();
        if !m.compiled[i] {
            m.leave(i);
        }
        let ends = x.insn.is_none_or(|x| x.does & (ENDS | CALLS) != 0);
        if !m.compiled[i] || ends {
            m.forget();
        }
    }
    // nothing comes after the last instruction, which goes elsewhere
    m.emit_exits();
    m.emit_looks();
    m.a.finish()?;
    let done = m.compiled.iter().filter(|&&c| c).count();
    if done == 0 {
        return None;
    }
    let piece = Piece::new(space, &m.a.bytes)?;
    let address = piece.address();
    let entries = (0..all.len())
        .filter(|&i| all[i].entry && m.compiled[i])
        .map(|i| {
            let code = address + u64::from(m.a.offset(m.labels[i]));
            Entry::new(all[i].off / 8, code)
        });
    Some(Compiled {
        entries: entries.collect(),
        piece,
        instructions: (done, all.len()),
    })
}

impl Maker<'_> {
    /// The instruction by its template. False: there is none, and nothing was made.
    fn template(&mut self) -> bool {
        let Some(insn) = self.ins().insn else {
            return false;
        };
        if insn.result.is_some() {
            self.keep();
        }
        match insn.op {
            Op::Binary(op) => return self.binary(op),
            Op::Compare(op) => self.compare(op),
            Op::Unary(op) => return self.unary(op),
            Op::Move => self.move_one(),
            Op::MoveFloat => self.move_float_acc(),
            Op::MoveTwo => self.move_two(),
            Op::MoveAdd => self.move_add(),
            Op::Add => {
                let x = self.ins();
                self.add_to(x.half(10), x.int(12));
            }
            Op::Constant => self.constant(),
            Op::Cell => return self.cell(),
            Op::GetField(t) => self.get_field(t),
            Op::PutField(t) => self.put_field(t),
            Op::GetStatic(t) => return self.get_static(t),
            Op::PutStatic(t) => return self.put_static(t),
            Op::ArrayLength => self.array_length(),
            Op::Load(t) => self.load_element(t),
            Op::Store(t) => self.store_element(t),
            Op::CheckCast => self.check_cast(),
            Op::InstanceOf => self.instance_of(),
            Op::New(counted) => return self.new_object(counted),
            Op::NewArray(counted) => return self.new_array(counted),
            Op::RegisterFinalizer => self.register_finalizer(),
            Op::IfInt(c) => self.branch(false, c),
            Op::IfLong(c) => self.branch(true, c),
            Op::IfFloat {
                double,
                condition,
                nan,
            } => self.branch_float(double, condition, nan),
            Op::AddIf(c) => self.add_and_branch(c),
            Op::Jump => self.jump(),
            Op::CheckLimit => self.check_limit(),
            Op::TableSwitch => self.table_switch(),
            Op::LookupSwitch => self.lookup_switch(),
            Op::Call { kind, contexts } => return self.call(kind, contexts),
            Op::Return { letter, contexts } => self.leave_method(letter, contexts),
            Op::CheckFrame => self.check_frame(),
            Op::MonitorEnter => self.monitor(true),
            Op::MonitorExit => self.monitor(false),
            Op::Lock => self.lock(),
            Op::Unlock => self.unlock(),
            Op::Other => return false,
        }
        true
    }
}
