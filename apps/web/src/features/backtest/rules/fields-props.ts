import type { RuleNode } from './kinds.ts'

export interface FieldsProps<Node> {
  node: Node
  /** `field`: typing on in the same field is one step to undo. */
  onChange: (node: Node, field?: string) => void
  isByMember: boolean
}

export type OfKind<Kind extends RuleNode['kind']> = Extract<RuleNode, { kind: Kind }>
