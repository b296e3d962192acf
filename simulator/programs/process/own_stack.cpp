#include "simulator/programs/process/own_stack.hpp"

#include <cstdint>

extern "C" void hindcast_call_on_stack(void* top, void (*function)(void*), void* argument);

asm(R"(
        .text
        .globl hindcast_call_on_stack
        .hidden hindcast_call_on_stack
        .type hindcast_call_on_stack, @function
hindcast_call_on_stack:
        .cfi_startproc
        endbr64
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        test    %rdi, %rdi
        cmovz   %rsp, %rdi
        mov     %rdi, %rsp
        mov     %rdx, %rdi
        .cfi_remember_state
        .cfi_undefined %rip
        call    *%rsi
        .cfi_restore_state
        mov     %rbp, %rsp
        pop     %rbp
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size hindcast_call_on_stack, .-hindcast_call_on_stack
)");

namespace hindcast::programs {

void call_on_stack(void* top, void (*function)(void*), void* argument) {
  const auto aligned = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15};
  hindcast_call_on_stack(reinterpret_cast<void*>(aligned), function, argument);
}

}  // namespace hindcast::programs
