# How the layer ops is compiled: always optimised, since its loops are what a run's time is spent in; and the matrix
# product's innermost loops once for each instruction set, and always with the optimisation that fuses a * b + c: torch's
# own sums are made so, to the last bit.
if(NOT GREENBOX_SANITIZE) # sanitizers slow the build enough
  target_compile_options(greenbox_ops PRIVATE -O3)
endif()
set(micro ${CMAKE_CURRENT_SOURCE_DIR}/ops/gemm)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${micro}/micro_avx2.cpp PROPERTIES COMPILE_OPTIONS "-O3;-mavx2;-mfma;-ffp-contract=fast")
  set_source_files_properties(${micro}/micro_avx512.cpp PROPERTIES COMPILE_OPTIONS
                              "-O3;-mavx512f;-mfma;-mprefer-vector-width=512;-ffp-contract=fast")
endif()
