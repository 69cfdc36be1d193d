xquery version "3.1";
(:
  Executed instructions and opcode mix of a program, from its calling-context tree and its classes,
  in the way of section 5 of the JP2 paper: the tree says how often each instruction was executed,
  the classes say what it is.

  $cct      the calling-context tree, written by `--profile=blocks -o cct.xml`
  $classes  the classes, written by `class2xml`
:)
declare namespace map = "http://www.w3.org/2005/xpath-functions/map";
declare namespace output = "http://www.w3.org/2010/xslt-xquery-serialization";
declare option output:method "text";

declare variable $cct as document-node() external;
declare variable $classes as document-node() external;

(: Contexts outside the dynamic extent of main have an execution count of 0. :)
declare variable $benchmark-nodes := $cct//method[executionCount > 0];

(: Are positions bytecode indices? In JP2 they are numbers of instructions, from 1. :)
declare variable $by-index := $cct/*/@positions = "bytecodeIndex";

(: The instructions of each method that has any. :)
declare variable $code := map:merge(
  for $method in $classes//method
  return map:entry(
    string-join(("L" || $method/../@name || ";", $method/@name, $method/@desc), " "),
    $method/code));

declare function local:id($method as element(method)) as xs:string {
  string-join(($method/@declaringClass, $method/@name, "(" || $method/@params || ")" || $method/@return), " ")
};

(: How often the instruction at a position was executed in these contexts of its method. :)
declare function local:execution-count($nodes as element(method)*, $i as xs:integer) as xs:integer {
  xs:integer(sum(
    $nodes/basicBlock[xs:integer(@startInstruction) <= $i and $i <= xs:integer(@endInstruction)]/executionCount))
};

declare function local:position($instruction as element(), $number as xs:integer) as xs:integer {
  if ($by-index) then xs:integer($instruction/@index) else $number
};

(: One element for each instruction of each method that was executed. :)
declare variable $executed :=
  for $node in $benchmark-nodes
  group by $id := local:id($node)
  for $instruction at $number in $code($id)/*
  let $count := local:execution-count($node, local:position($instruction, $number))
  where $count > 0
  return <executed opcode="{ name($instruction) }" count="{ $count }"/>;

let $all := xs:integer(sum($benchmark-nodes/executedInstructions))
let $known := xs:integer(sum($executed/@count))
let $mix :=
  for $instruction in $executed
  group by $opcode := string($instruction/@opcode)
  let $count := xs:integer(sum($instruction/@count))
  order by $count descending, $opcode
  return $opcode || " " || $count
return string-join((
  "executed instructions " || $all,
  "in methods without class file " || $all - $known,
  $mix, ""), "&#10;")
