import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml"

/** Something that YAML says and JSON, as which it would be sent, cannot. */
export interface Unsayable {
  readonly node: Node
  /** What is wrong with it, by its path. */
  readonly words: string
}

/** Enough for anchors that somebody wrote, and an end to those that multiply. */
export const mostAliases = 100

/** More than anything that the API takes. */
const mostLevels = 100

/** Where a part of a document is. */
interface Place {
  readonly path: ReadonlyArray<string | number>
  readonly around: ReadonlyArray<Node>
}

/** All of a document that cannot be said in JSON, in its order. */
export const unsayableIn = (document: Document): ReadonlyArray<Unsayable> => {
  const found: Array<Unsayable> = []
  let aliases = 0

  const tell = (node: Node, path: Place["path"], words: string): void => {
    found.push({ node, words: `${path.join(".")} ${words}`.trimStart() })
  }
  const lookAtAlias = (alias: Alias, { around, path }: Place): void => {
    aliases += 1
    if (aliases === mostAliases + 1) tell(alias, path, `is alias number ${aliases}: there may be ${mostAliases}`)
    // What it stands for is found by a walk of its own.
    const meant = aliases > mostAliases ? undefined : alias.resolve(document)
    if (meant !== undefined && around.includes(meant)) tell(alias, path, `refers to itself, by *${alias.source}`)
  }
  const lookInto = (collection: YAMLMap | YAMLSeq, place: Place): void => {
    const { path } = place
    const around = [...place.around, collection]
    if (isSeq(collection)) {
      for (const [index, item] of collection.items.entries()) look(item, { path: [...path, index], around })
      return
    }
    const names = new Set<string>()
    for (const { key, value } of collection.items) {
      if (isScalar(key)) {
        const name = String(key.value ?? "")
        if (names.has(name)) tell(key, [...path, name], "must be unique")
        names.add(name)
        look(value, { path: [...path, name], around })
      } else tell(collection, path, "must have names that are text")
    }
  }
  const look = (node: unknown, place: Place): void => {
    const { path } = place
    if (isAlias(node)) lookAtAlias(node, place)
    else if (isScalar(node)) {
      if (typeof node.value === "number" && !Number.isFinite(node.value)) {
        tell(node, path, `must be a number, not ${node.source}`)
      }
    } else if (isMap(node) || isSeq(node)) {
      if (path.length > mostLevels) tell(node, path, `must be nested at most ${mostLevels} levels deep`)
      else lookInto(node, place)
    }
  }

  look(document.contents, { path: [], around: [] })
  return found
}
