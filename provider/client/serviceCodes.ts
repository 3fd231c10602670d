/**
 * Numbers with which the reference service tells causes apart that share a status (service/README.md). Another service
 * need not know them: they sharpen a message or save a request, and nothing depends on them alone.
 */
export const serviceCodes = {
  invalid: 40001,
  unknownReference: 40002,
  noSuchObject: 40401,
  noSuchRoute: 40402,
} as const;
