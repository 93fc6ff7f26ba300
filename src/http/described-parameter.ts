import { applyDecorators } from '@nestjs/common';

/** A handler's parameter as `read` reads it, which the API's description tells of as `told` says. */
export function describedParameter(read: ParameterDecorator, ...told: MethodDecorator[]): ParameterDecorator {
  return (target, key, index) => {
    read(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && descriptor) applyDecorators(...told)(target, key, descriptor);
  };
}
