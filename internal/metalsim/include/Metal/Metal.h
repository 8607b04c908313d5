// The part of Apple's Metal that a compute program uses, for the simulator.
//
// Names, types and the values of constants are those of Apple's public
// documentation, so that one Objective-C file compiles against either. What is
// not declared here is not simulated. Build with the flags of env.sh.

#ifndef METALSIM_METAL_H
#define METALSIM_METAL_H

#import <Foundation/Foundation.h>

#import <Metal/MTLTypes.h>

#import <Metal/MTLResource.h>

#import <Metal/MTLLibrary.h>

#import <Metal/MTLCommand.h>

#import <Metal/MTLDevice.h>

#endif
