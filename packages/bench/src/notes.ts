export const notes: ReadonlyArray<string> = []
