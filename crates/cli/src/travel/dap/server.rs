//! The requests of a client, carried out one after the other.

use super::super::moves::Move;
use super::super::seen::{Look, Seen};
use super::super::session::ReadPlace;
use super::super::timeline::{Timeline, TimelineStart, TravelError};
use super::error::DapError;
use super::frames::DapRequest;
use super::going::StopNote;
use super::launch::{DapStart, Launch};
use super::link::{DapLink, LinkAttention, LinkOutput, SharedLink, thread_of, threads_body};
use super::stops::{DapStops, source_path};
use super::views::ViewNumbers;
use crate::sources::SourcePath;
use serde_json::{Value, json};
use std::any::Any;
use std::cell::RefCell;
use std::fs::File;
use std::rc::Rc;

/// A session with a client.
pub struct DapServer {
    pub(super) link: SharedLink,
    start: Box<dyn DapStart>,
    /// The client must give it.
    token: Option<String>,
    initialized: bool,
    admitted: bool,
    configured: bool,
    pub(super) program: Option<DapProgram>,
    pub(super) launched: Launch,
    pub(super) stops: DapStops,
    pub(super) numbers: ViewNumbers,
    /// The number of the first line: 1, or 0.
    pub(super) first_line: i64,
    pub(super) first_column: i64,
    /// Whether the exception for which the program has stopped is caught.
    pub(super) caught: Option<bool>,
    over: bool,
}

/// The program of a session.
pub struct DapProgram {
    pub timeline: Timeline,
    pub sources: SourcePath,
    /// The thread of `main`.
    pub main: Option<u32>,
    /// The thread that runs next.
    pub current: Option<u32>,
    /// It goes after the program.
    _folder: Box<dyn Any>,
}

/// An answer: the body, or the reason of a refusal.
pub type Answer = Result<Value, DapError>;

impl DapServer {
    /// A session with the client at the end of these streams. With a token, the client must give it before anything is launched.
    pub fn new(
        input: File,
        output: File,
        token: Option<String>,
        start: Box<dyn DapStart>,
        read_place: ReadPlace,
    ) -> DapServer {
        DapServer {
            link: Rc::new(RefCell::new(DapLink::new(input, output))),
            start,
            admitted: token.is_none(),
            token,
            initialized: false,
            configured: false,
            program: None,
            launched: Launch::default(),
            stops: DapStops::new(read_place),
            numbers: ViewNumbers::default(),
            first_line: 1,
            first_column: 1,
            caught: None,
            over: false,
        }
    }
    /// Whether the client has given the token.
    pub fn is_admitted(&self) -> bool {
        self.admitted
    }
    /// Serves the client until it disconnects.
    ///
    /// # Errors
    /// The session cannot go on.
    pub fn run(&mut self) -> Result<(), DapError> {
        while !self.over {
            let Some(request) = self.link.borrow_mut().receive() else {
                break;
            };
            if let Err(why) = self.carry_out(&request) {
                self.link.borrow_mut().note(&format!("{why}\n"));
                self.terminated()?;
                return Err(why);
            }
        }
        self.program = None;
        Ok(())
    }
    pub(super) fn respond(&mut self, request: &DapRequest, done: &Answer) {
        let why;
        let done = match done {
            Ok(body) => Ok(body.clone()),
            Err(e) => {
                why = e.to_string();
                Err(why.as_str())
            }
        };
        self.link.borrow_mut().respond(request, done);
    }
    /// Carries out a request, and answers it.
    ///
    /// # Errors
    /// The session cannot go on.
    pub(super) fn carry_out(&mut self, request: &DapRequest) -> Result<(), DapError> {
        if !self.initialized && !matches!(&*request.command, "initialize" | "disconnect") {
            self.respond(request, &Err(DapError::Unfit("initialize comes first")));
            return Ok(());
        }
        let open = ["initialize", "launch", "attach", "disconnect"];
        if !self.admitted && !open.contains(&&*request.command) {
            self.respond(
                request,
                &Err(DapError::Unfit("the token comes first, with launch")),
            );
            return Ok(());
        }
        match &*request.command {
            "initialize" => self.initialize(request),
            "launch" | "attach" => return self.launch(request),
            "configurationDone" => return self.configuration_done(request),
            "restart" => return self.restart(request),
            "disconnect" => {
                self.program = None;
                self.respond(request, &Ok(Value::Null));
                self.over = true;
            }
            "terminate" => {
                self.respond(request, &Ok(Value::Null));
                return self.terminated();
            }
            "setBreakpoints" => {
                let done = self.set_lines(request);
                self.respond(request, &done);
            }
            "setFunctionBreakpoints" => {
                let done = self.stops.set_functions(request);
                self.respond(request, &done);
            }
            "setExceptionBreakpoints" => {
                let done = self.stops.set_exceptions(request);
                self.respond(request, &done);
            }
            "setDataBreakpoints" => {
                let done = self.stops.set_data(request);
                self.respond(request, &done);
            }
            "threads" => {
                let done = threads_body(&self.link.borrow().threads);
                self.respond(request, &Ok(done));
            }
            "pause" => self.respond(request, &Ok(Value::Null)),
            "continue" => return self.movement(request, Move::Continue, true),
            "reverseContinue" => return self.movement(request, Move::Continue, false),
            "next" => return self.movement(request, Move::Over, true),
            "stepIn" => return self.movement(request, Move::Into, true),
            "restartFrame" => return self.restart_frame(request),
            "gotoTargets" | "goto" => {
                let why =
                    "the program cannot jump over its bytecodes: rjvm/goto goes to a position";
                self.respond(request, &Err(DapError::Unfit(why)));
            }
            "cancel" => self.cancel(request),
            "stepOut" => return self.movement(request, Move::Out, true),
            "stepBack" => return self.movement(request, Move::Over, false),
            "rjvm/reverseStepIn" => return self.movement(request, Move::Into, false),
            "rjvm/reverseStepOut" => return self.movement(request, Move::Out, false),
            "rjvm/goto" => return self.goto(request),
            "evaluate" => return self.evaluate(request),
            _ => {
                let done = self.view(request);
                self.respond(request, &done);
            }
        }
        Ok(())
    }
    fn initialize(&mut self, request: &DapRequest) {
        let base = |name: &str| match request.arguments.get(name) {
            Some(Value::Bool(false)) => 0,
            _ => 1,
        };
        let refused = match request.text("pathFormat") {
            None | Some("path") => None,
            Some(other) => Some(DapError::PathFormat(other.into())),
        };
        if let Some(why) = refused.or_else(|| self.admit(request).err()) {
            self.respond(request, &Err(why));
            return;
        }
        (self.first_line, self.first_column) = (base("linesStartAt1"), base("columnsStartAt1"));
        self.initialized = true;
        self.respond(request, &Ok(capabilities()));
    }
    /// Compares a token, if the client gives one.
    fn admit(&mut self, request: &DapRequest) -> Result<(), DapError> {
        let (Some(token), Some(given)) = (&self.token, request.text("token")) else {
            return Ok(());
        };
        let differs = |(a, b): (u8, u8)| a ^ b;
        let pairs = token.bytes().zip(given.bytes());
        let same = token.len() == given.len() && pairs.map(differs).fold(0, |a, b| a | b) == 0;
        match same {
            true => {
                self.admitted = true;
                self.start.admitted();
            }
            false => {
                self.over = true;
                return Err(DapError::Unfit("the token is wrong"));
            }
        }
        Ok(())
    }
    fn launch(&mut self, request: &DapRequest) -> Result<(), DapError> {
        let mut done = self.admit(request);
        if done.is_ok() && !self.admitted {
            done = Err(DapError::expected("token", "the one that rjvm has printed"));
        }
        if done.is_ok() && self.program.is_some() {
            done = Err(DapError::Unfit("a program has been launched already"));
        }
        let done = done.and_then(|()| self.begin(request));
        let done = done.map(|()| Value::Null);
        self.respond(request, &done);
        if done.is_ok() {
            self.link.borrow_mut().event("initialized", Value::Null);
        }
        Ok(())
    }
    /// Begins the program of a request.
    fn begin(&mut self, request: &DapRequest) -> Result<(), DapError> {
        let launch = Launch::read(request)?;
        let link = self.link.clone();
        let output = Box::new(LinkOutput(link.clone()));
        let mut close = || link.borrow_mut().close();
        let begun = self.start.begin(&launch, output, &mut close)?;
        let mut timeline = match begun.start {
            TimelineStart::Main(timeline) => *timeline,
            TimelineStart::Ended(code) => {
                return Err(DapError::Ended(code));
            }
        };
        let attention = LinkAttention::new(&self.link).map_err(TravelError::from)?;
        timeline.attend(Box::new(attention));
        let place = timeline.place()?;
        let main = place.thread.map(|t| t.id);
        self.launched = launch;
        self.program = Some(DapProgram {
            timeline,
            sources: begun.sources,
            main,
            current: main,
            _folder: begun.folder,
        });
        self.link.borrow_mut().event(
            "process",
            json!({"name": begun.name, "isLocalProcess": true, "startMethod": "launch"}),
        );
        Ok(())
    }
    fn configuration_done(&mut self, request: &DapRequest) -> Result<(), DapError> {
        let done = match (&self.program, self.configured) {
            (Some(_), false) => Ok(Value::Null),
            (None, _) => Err(DapError::Unfit("launch comes first")),
            (_, true) => Err(DapError::Unfit("the program runs already")),
        };
        self.respond(request, &done);
        if done.is_err() {
            return Ok(());
        }
        self.configured = true;
        self.set_off()
    }
    /// The program goes to where the client wants to see it first.
    fn set_off(&mut self) -> Result<(), DapError> {
        match self.launched.at {
            Some(at) => self.go_to(at),
            None if self.launched.stop_on_entry => {
                self.stopped(StopNote::new("entry", "Paused at the beginning of main"))
            }
            None => self.travel(Move::Continue, true, None),
        }
    }
    /// The program begins again, in a new process: its class files may be others now.
    fn restart(&mut self, request: &DapRequest) -> Result<(), DapError> {
        self.forget_numbers();
        self.program = None;
        self.link.borrow_mut().end_output();
        let inner = request.arguments.get("arguments").cloned();
        let again = DapRequest {
            arguments: inner.unwrap_or_else(|| self.last_arguments()),
            ..request.clone()
        };
        let done = self.begin(&again).map(|()| Value::Null);
        self.respond(request, &done);
        match done {
            Ok(_) => self.set_off(),
            Err(why) => {
                self.link.borrow_mut().note(&format!("{why}\n"));
                self.terminated()
            }
        }
    }
    /// The arguments of the launch so far.
    fn last_arguments(&self) -> Value {
        self.launched.arguments.clone()
    }
    fn set_lines(&mut self, request: &DapRequest) -> Answer {
        let path = source_path(request)?.to_owned();
        let lines = self.lines(&path)?;
        self.stops.set_lines(request, self.first_line, &lines)
    }
    /// The lines with code in the loaded classes of a file.
    pub(super) fn lines(&mut self, path: &str) -> Result<Vec<u16>, DapError> {
        let Some(program) = &mut self.program else {
            return Ok(Vec::new());
        };
        match program.timeline.look(Look::Lines(path.into())) {
            Ok(Seen::Lines(lines)) => Ok(lines),
            // at the end, nothing is known
            Ok(_) | Err(TravelError::Refused(_)) => Ok(Vec::new()),
            Err(e) => Err(e.into()),
        }
    }
    /// Whether there is a program that can be moved and looked at.
    pub(super) fn ready(&self) -> Result<(), DapError> {
        match &self.program {
            Some(_) if self.configured => Ok(()),
            Some(_) => Err(DapError::Unfit("expected configurationDone first")),
            None => Err(DapError::Unfit("there is no program")),
        }
    }
    fn movement(&mut self, request: &DapRequest, how: Move, forward: bool) -> Result<(), DapError> {
        let done = self.ready().map(|()| match &*request.command {
            "continue" => json!({"allThreadsContinued": true}),
            _ => Value::Null,
        });
        self.respond(request, &done);
        if done.is_err() {
            return Ok(());
        }
        if let Some(id) = request.number("targetId").filter(|_| how == Move::Into) {
            return self.step_into_target(request, id);
        }
        let thread = thread_of(request);
        let fine = request.text("granularity") == Some("instruction");
        match how {
            Move::Over | Move::Into if fine => self.travel(Move::Bytecode, forward, None),
            Move::Continue => self.travel(how, forward, None),
            _ => self.travel(how, forward, thread),
        }
    }
    /// Takes back a request that waits. One that runs is ended where it runs, by the link.
    fn cancel(&mut self, request: &DapRequest) {
        let taken = request.number("requestId");
        let taken = taken.and_then(|seq| self.link.borrow_mut().take_back(seq));
        if let Some(taken) = taken {
            self.respond(&taken, &Err(DapError::Unfit("cancelled")));
        }
        // one that has ended meanwhile needs nothing
        self.respond(request, &Ok(Value::Null));
    }
    fn goto(&mut self, request: &DapRequest) -> Result<(), DapError> {
        let done = self.ready().and_then(|()| {
            let position = request.number("position").filter(|n| *n >= 0);
            position.ok_or_else(|| DapError::expected("position", "a number of bytecodes"))
        });
        self.respond(request, &done.clone().map(|_| Value::Null));
        match done {
            Ok(position) => self.go_to(position),
            Err(_) => Ok(()),
        }
    }
    /// `evaluate`: in the console, also a few commands of the terminal.
    fn evaluate(&mut self, request: &DapRequest) -> Result<(), DapError> {
        let text = request.text("expression").unwrap_or_default().trim();
        let console = request.text("context") == Some("repl");
        if let Some(to) = text.strip_prefix("goto ").filter(|_| console) {
            let to = to.trim().replace([',', '_'], "").parse::<i64>();
            let done = self
                .ready()
                .and_then(|()| to.map_err(|_| DapError::expected("goto", "a number of bytecodes")));
            let body = json!({"result": "", "variablesReference": 0});
            self.respond(request, &done.clone().map(|_| body));
            return done.map_or(Ok(()), |to| self.go_to(to));
        }
        let done = self.evaluated(request, text, console);
        self.respond(request, &done);
        Ok(())
    }
}

/// What the protocol offers of what this server does.
fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsStepInTargetsRequest": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsRestartFrame": true,
        "supportsCompletionsRequest": true,
        "completionTriggerCharacters": ["."],
        "supportsLoadedSourcesRequest": true,
        "supportsCancelRequest": true,
        "supportsSteppingGranularity": true,
        "supportsDisassembleRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsExceptionFilterOptions": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "exceptionBreakpointFilters": [
            {
                "filter": "uncaught",
                "label": "Uncaught Exceptions",
                "description": "Stop where an exception is thrown that no method catches",
                "supportsCondition": true,
                "conditionDescription": "Classes of exceptions: java.io.IOException, p.MyException",
            },
            {
                "filter": "caught",
                "label": "Caught Exceptions",
                "description": "Stop where an exception is thrown that a method catches, also in the class library",
                "supportsCondition": true,
                "conditionDescription": "Classes of exceptions: java.io.IOException, p.MyException",
            },
        ],
    })
}
