//! Points as instruments.

use super::{OF_IO, Probes, WITH_ENTRY, io};
use rjvm_probes::{ClassPattern, ClassSubject, MemberPattern, MemberSubject, Monitor, Point};
use rjvm_vm::Vm;
use rjvm_vm::instruments::{
    self, ClassFilter, ClassView, MemberView, Members, MethodFilter, MethodView,
};

impl Probes {
    /// Places the point with this number.
    pub(super) fn place_point(
        &mut self,
        vm: &mut Vm,
        number: usize,
        point: Point,
        wants_entry: bool,
    ) {
        use instruments::Point as At;
        let own = number as u32;
        let at = match point {
            Point::Begin | Point::End => return,
            Point::Io(what) => return self.notify(vm, io::point(what), own | OF_IO),
            Point::Return(m) | Point::Throw(m) | Point::Around(m) if wants_entry => {
                return self.notify(vm, At::Around(methods(m)), own | WITH_ENTRY);
            }
            Point::Entry(m) => At::Entry(methods(m)),
            Point::Return(m) => At::Return(methods(m)),
            Point::Throw(m) => At::Throw(methods(m)),
            Point::Around(m) => {
                // both ways to leave, without what is remembered at entry
                self.notify(vm, At::Throw(methods(m.clone())), own);
                return self.notify(vm, At::Return(methods(m)), own);
            }
            Point::Call { callee, within } => At::Call {
                callee: members(callee),
                within: within.map_or(MethodFilter::All, |m| methods(*m)),
            },
            Point::Block(m) => At::Block(methods(m)),
            Point::Line { within, lines } => At::Line {
                within: methods(within),
                lines,
            },
            Point::Bytecode { within, indices } => At::Bytecode {
                within: methods(within),
                indices,
            },
            Point::Alloc(c) => At::Alloc(classes(c)),
            Point::Read(f) => At::Field {
                field: members(f),
                within: MethodFilter::All,
                write: false,
            },
            Point::Write(f) => At::Field {
                field: members(f),
                within: MethodFilter::All,
                write: true,
            },
            Point::Monitor(what, c) => {
                let what = match what {
                    Monitor::Enter => instruments::MonitorAction::Enter,
                    Monitor::Exit => instruments::MonitorAction::Exit,
                    Monitor::Contended => instruments::MonitorAction::Contended,
                    Monitor::Wait => instruments::MonitorAction::Wait,
                };
                At::Monitor(what, classes(c))
            }
            Point::Thread(start) => At::Thread(start),
            Point::Class(c) => At::Class(classes(c)),
            Point::Gc(start) => At::Gc(start),
            Point::Exception(c) => At::Exception(classes(c)),
            Point::Every(n) => At::Every(n),
        };
        let counts = self.with(vm, |inner| inner.session.only_counts(number));
        match counts {
            Some(true) => self.count_at(vm, at, number),
            _ => self.notify(vm, at, own),
        }
    }
}

fn methods(pattern: MemberPattern) -> MethodFilter {
    MethodFilter::of(move |m| pattern.matches(&MethodShown::new(m)))
}

fn members(pattern: MemberPattern) -> Members {
    Members::of(move |m| pattern.matches(&NamedShown::new(m)))
}

fn classes(pattern: ClassPattern) -> ClassFilter {
    ClassFilter::of(move |c| pattern.matches(&ClassShown::new(*c)))
}

/// A class, with its name.
struct ClassShown<'v> {
    name: String,
    /// Of one that is not loaded, only the name is known.
    view: Option<ClassView<'v>>,
}

impl<'v> ClassShown<'v> {
    fn new(view: ClassView<'v>) -> Self {
        ClassShown {
            name: view.name(),
            view: Some(view),
        }
    }
}

impl ClassSubject for ClassShown<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn any_supertype(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool {
        let supertypes = self.view.iter().flat_map(|view| view.supertypes());
        supertypes.map(|c| c.name()).any(|name| visit(&name))
    }

    fn any_annotation(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool {
        let annotations = self.view.iter().flat_map(|view| view.annotations());
        annotations.into_iter().any(|name| visit(&name))
    }
}

/// A method, with its class's name.
struct MethodShown<'m, 'v> {
    class: ClassShown<'v>,
    view: &'m MethodView<'v>,
}

impl<'m, 'v> MethodShown<'m, 'v> {
    fn new(view: &'m MethodView<'v>) -> Self {
        MethodShown {
            class: ClassShown::new(view.class()),
            view,
        }
    }
}

impl MemberSubject for MethodShown<'_, '_> {
    fn class(&self) -> &dyn ClassSubject {
        &self.class
    }

    fn name(&self) -> &str {
        self.view.name()
    }

    fn descriptor(&self) -> &str {
        self.view.descriptor()
    }

    fn any_annotation(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool {
        self.view.annotations().iter().any(|name| visit(name))
    }
}

/// What an instruction names.
struct NamedShown<'m, 'v> {
    class: ClassShown<'v>,
    view: &'m MemberView<'v>,
}

impl<'m, 'v> NamedShown<'m, 'v> {
    fn new(view: &'m MemberView<'v>) -> Self {
        let class = ClassShown {
            name: view.class_name(),
            view: view.class(),
        };
        NamedShown { class, view }
    }
}

impl MemberSubject for NamedShown<'_, '_> {
    fn class(&self) -> &dyn ClassSubject {
        &self.class
    }

    fn name(&self) -> &str {
        self.view.name()
    }

    fn descriptor(&self) -> &str {
        self.view.descriptor()
    }

    fn any_annotation(&self, _: &mut dyn FnMut(&str) -> bool) -> bool {
        // of what an instruction names, the class is known, not yet the member
        false
    }
}
