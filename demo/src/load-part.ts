/** A part of the page that is loaded when it is first needed could not be. */
export class PartMissing extends Error {}

/** Loads a part of the page. Browsers remember a module that could not be loaded until a reload. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    throw new PartMissing(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
