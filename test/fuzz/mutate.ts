import type { Dice } from './dice.ts'
import { HOSTILE_KEYS, HOSTILE_NUMBERS, HOSTILE_TEXTS, HOSTILE_TOKENS } from './hostile-values.ts'

type Node = Record<string, unknown> | unknown[]

/** A sample with one to five of its values changed, moved, removed or repeated, which a parser mostly still accepts. */
export function mutateJson(sample: string, others: readonly string[], dice: Dice): unknown {
  const root = { value: JSON.parse(sample) as unknown }
  for (let changes = dice.pick([1, 1, 1, 2, 3, 5]); changes > 0; changes--) changeOne(root, others, dice)
  return root.value
}

/** A text whose bytes are cut off, flipped or repeated, or with tokens of its format in wrong places. */
export function mutateBytes(bytes: Buffer, dice: Dice): Buffer {
  let text = bytes.toString('latin1')
  for (let changes = 1 + dice.below(3); changes > 0; changes--) {
    const at = dice.below(text.length + 1)
    const until = Math.min(text.length, at + 1 + dice.below(20))
    text = dice.pick(CUTS)(text, { at, until, dice })
  }
  return Buffer.from(text, 'latin1')
}

/** A text with a hostile value inserted or substituted. */
export function mutateText(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1)
  const hostile = dice.pick(HOSTILE_TEXTS)
  if (dice.once(2)) return hostile
  return dice.once(2) ? text.slice(0, at) + hostile + text.slice(at) : text.slice(0, at)
}

type Cut = (text: string, where: { at: number; until: number; dice: Dice }) => string

const CUTS: readonly Cut[] = [
  (text, { at }) => text.slice(0, at),
  (text, { at, until }) => text.slice(0, at) + text.slice(until),
  (text, { at, until }) => text.slice(0, until) + text.slice(at),
  (text, { at, dice }) => text.slice(0, at) + dice.pick(HOSTILE_TOKENS) + text.slice(at),
  (text, { at, dice }) => text.slice(0, at) + String.fromCharCode(dice.below(256)) + text.slice(at + 1),
]

function changeOne(root: Node, others: readonly string[], dice: Dice): void {
  const [node, key] = pickPlace(root, dice)
  const value: unknown = Reflect.get(node, key)
  const drawn = dice.below(10)
  if (drawn === 0) remove(node, key)
  else if (drawn === 1) put(node, dice.pick(HOSTILE_KEYS), value)
  else if (drawn === 2) put(node, key, Array(dice.pick([1, 2, 30])).fill(value))
  else if (drawn === 3) put(node, key, pickValue(JSON.parse(dice.pick(others)), dice))
  else if (drawn === 4) put(node, key, { [dice.pick(HOSTILE_KEYS)]: value })
  else if (drawn === 5) put(node, key, nested(1 + dice.below(200)))
  else if (drawn === 6) put(node, key, dice.pick([null, true, false, [], {}, [null], [[]]]))
  else if (drawn === 7) put(node, key, dice.pick(HOSTILE_NUMBERS))
  else put(node, key, mutateText(typeof value === 'string' ? value : '', dice))
}

/** A random value at any depth; deep ones are as likely as those at the top. */
function pickPlace(root: Node, dice: Dice): [Node, string] {
  let node = root
  for (;;) {
    const key = dice.pick(keysOf(node, dice))
    const below: unknown = Reflect.get(node, key)
    const isNode = typeof below === 'object' && below !== null && Object.keys(below).length > 0
    if (!isNode || (node !== root && dice.once(4))) return [node, key]
    node = below as Node
  }
}

/** Values with many descendants are chosen more often, because a Slot without a required element at the top is only rejected. */
function keysOf(node: Node, dice: Dice): string[] {
  const keys = Object.keys(node)
  const deeper = keys.filter((key) => typeof Reflect.get(node, key) === 'object')
  return deeper.length > 0 && !dice.once(3) ? deeper : keys
}

function pickValue(from: unknown, dice: Dice): unknown {
  const [node, key] = pickPlace({ value: from }, dice)
  return Reflect.get(node, key)
}

function remove(node: Node, key: string): void {
  if (Array.isArray(node)) node.splice(Number(key), 1)
  else delete node[key]
}

/** Sets a property, also `__proto__` and the like; appends to an array. */
function put(node: Node, key: string, value: unknown): void {
  const at = Array.isArray(node) && !/^\d+$/.test(key) ? String(node.length) : key
  Object.defineProperty(node, at, { value, enumerable: true, configurable: true, writable: true })
}

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { extension: value }
  return value
}
